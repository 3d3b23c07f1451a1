//! Names to show. People, seats and operators use this one check. Names of all scripts are fine; what
//! could pass for another name is not: invisible letters, letters of several alphabets in one word, and
//! names that look like those of the engine or of the operator (Unicode Technical Standard 39).

use azulejo_engine::Level;
use azulejo_table::engine_name;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};
use unicode_security::confusable_detection::skeleton;
use unicode_security::mixed_script::AugmentedScriptSet;

/// The longest name, in characters.
const MAX_LENGTH: usize = 40;

/// The largest number of combining marks on one letter, as the standard recommends.
const MAX_MARKS: usize = 4;

/// Names that only the program itself may have, beside those of the engine's levels.
const RESERVED: [&str; 9] = [
    "Azulejo",
    "Engine",
    "Admin",
    "Administrator",
    "Moderator",
    "Operator",
    "Server",
    "System",
    crate::store::ERASED_NAME,
];

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It is empty or too long.
    #[error("a name must have 1 to 40 visible characters")]
    Length,
    /// It has characters that nobody sees, or that change how others are shown.
    #[error("a name must not have invisible or control characters, or piles of accents")]
    Invisible,
    /// A word has letters of several alphabets.
    #[error("a word in a name must not mix alphabets, such as Latin and Cyrillic letters")]
    MixedScripts,
    /// It looks like a name of the engine or of the operator.
    #[error("this name is reserved, or looks like a reserved one; choose another name")]
    Reserved,
}

/// Checks a name and returns its stored form: composed (NFC), with single spaces.
///
/// # Errors
/// Why the name is refused.
pub fn check_name(name: &str) -> Result<String, NameError> {
    let name: String = name.nfc().collect();
    // Line breaks and tabs are refused below, not taken for spaces.
    let is_space = |c: char| c.general_category() == GeneralCategory::SpaceSeparator;
    let words: Vec<&str> = name.split(is_space).filter(|word| !word.is_empty()).collect();
    let name = words.join(" ");
    if !(1..=MAX_LENGTH).contains(&name.chars().count()) {
        return Err(NameError::Length);
    }
    if name.chars().any(is_invisible) || has_pile(&name) || !name.chars().any(is_base) {
        return Err(NameError::Invisible);
    }
    let mut parts = name.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
    if !parts.all(has_one_script) {
        return Err(NameError::MixedScripts);
    }
    if is_reserved(&name) {
        return Err(NameError::Reserved);
    }
    Ok(name)
}

fn is_invisible(c: char) -> bool {
    use GeneralCategory as G;
    let is_special = matches!(
        c.general_category(),
        G::Control
            | G::Format
            | G::LineSeparator
            | G::ParagraphSeparator
            | G::PrivateUse
            | G::Surrogate
            | G::Unassigned
    );
    // Fillers, blanks and selectors count as letters, symbols or marks, and show nothing. The selector
    // U+FE0F, which belongs to many emoji, is fine.
    is_special
        || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}'
            | '\u{ffa0}' | '\u{fffc}' | '\u{fffd}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_mark(c: char) -> bool {
    use GeneralCategory as G;
    matches!(c.general_category(), G::NonspacingMark | G::EnclosingMark)
}

fn is_base(c: char) -> bool {
    !is_mark(c) && c != ' '
}

/// Whether more marks follow each other than any language uses.
fn has_pile(name: &str) -> bool {
    let mut n_marks = 0;
    name.chars().any(|c| {
        n_marks = if is_mark(c) { n_marks + 1 } else { 0 };
        n_marks > MAX_MARKS
    })
}

/// Whether a word is of one script, or mixes Latin with Chinese, Japanese or Korean letters, as is usual.
fn has_one_script(word: &str) -> bool {
    if !AugmentedScriptSet::for_str(word).is_empty() {
        return true;
    }
    let others = word.chars().filter(|c| c.script() != Script::Latin);
    let others: String = others.collect();
    let set = AugmentedScriptSet::for_str(&others);
    set.hanb || set.jpan || set.kore
}

fn is_reserved(name: &str) -> bool {
    let folded = fold(name);
    let engines = Level::all().map(|level| engine_name(level.number()));
    if RESERVED.iter().map(|&name| name.to_owned()).chain(engines).any(|one| fold(&one) == folded) {
        return true;
    }
    // "Anything (level 7)" is how the engine's seats are shown.
    let plain: String = name.nfkc().collect();
    let open = |c: char| c.general_category() == GeneralCategory::OpenPunctuation;
    plain.rsplit_once(open).is_some_and(|(_, rest)| fold(rest).starts_with(&fold("level")))
}

/// The letters and digits of a name as a reader may take them: look-alikes become one (the standard's
/// skeleton), also those of the other case, and the case does not count.
fn fold(name: &str) -> String {
    let plain: String = name.nfkc().collect();
    let look: String = skeleton(&plain).collect();
    let lower = look.to_lowercase();
    skeleton(&lower).filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_fine() {
        for (name, stored) in [
            ("Ana", "Ana"),
            ("  José   Łódź  ", "José Łódź"),
            ("Jose\u{301}", "José"),
            ("<script>alert(1)</script>", "<script>alert(1)</script>"),
            ("O'Brien-Müller (2)", "O'Brien-Müller (2)"),
            ("Иван Петров", "Иван Петров"),
            ("Ольга-Anna", "Ольга-Anna"),
            ("Ελένη", "Ελένη"),
            ("山田　太郎", "山田 太郎"),
            ("ジョンJohn", "ジョンJohn"),
            ("김민준", "김민준"),
            ("محمد", "محمد"),
            ("שרה", "שרה"),
            ("अनिता", "अनिता"),
            ("สมชาย", "สมชาย"),
            ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
            ("Δελτα7", "Δελτα7"),
            ("Tile ❤️ fan", "Tile ❤️ fan"),
            ("Level 42", "Level 42"),
            ("Master", "Master"),
            ("Azulejo fan", "Azulejo fan"),
            ("Guest", "Guest"),
        ] {
            assert_eq!(check_name(name).as_deref(), Ok(stored), "{name}");
        }
    }

    #[test]
    fn names_that_deceive_are_refused() {
        use NameError::{Invisible, Length, MixedScripts, Reserved};
        for (name, why) in [
            ("", Length),
            ("   ", Length),
            ("\u{3000}", Length),
            (&"x".repeat(41), Length),
            ("a\nb", Invisible),
            ("a\tb", Invisible),
            ("\u{202e}gnp.exe", Invisible),
            ("An\u{200b}a", Invisible),
            ("An\u{ad}a", Invisible),
            ("A\u{2066}na", Invisible),
            ("Ana\u{3164}", Invisible),
            ("Ana\u{e0041}", Invisible),
            ("\u{2800}", Invisible),
            ("\u{301}", Invisible),
            ("A\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}na", Invisible),
            ("Аna", MixedScripts),
            ("Αzulejo", MixedScripts),
            ("pаypal", MixedScripts),
            ("Azulejo (level 10)", Reserved),
            ("azulejo", Reserved),
            ("AZULEJO", Reserved),
            ("AzuIejo", Reserved),
            ("Azu1ejo", Reserved),
            ("Ａｚｕｌｅｊｏ", Reserved),
            ("A z u l e j o", Reserved),
            ("Azulejo.", Reserved),
            ("Master level 9", Reserved),
            ("Master [level 9]", Reserved),
            ("Ana (level 3)", Reserved),
            ("Ana （LEVEL 3）", Reserved),
            ("admin", Reserved),
            ("Deleted player", Reserved),
        ] {
            assert_eq!(check_name(name), Err(why), "{name:?}");
        }
    }
}
