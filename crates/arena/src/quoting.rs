//! Shell-style quoting: splits a text into words and joins words to a text.

/// A quote is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the quote {0} is not closed")]
pub struct OpenQuote(char);

/// Splits a text at white space. Quotes (`'` or `"`) keep white space inside a word. A backslash escapes
/// the next character, except between `'`.
///
/// # Errors
/// If a quote is not closed.
pub fn split_words(text: &str) -> Result<Vec<String>, OpenQuote> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                // Empty quotes are an empty word.
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.map_or(Ok(words), |open| Err(OpenQuote(open)))
}

/// Joins words so that [`split_words`] gives them back, with quotes only where they are needed.
#[must_use]
pub fn join_words<T: AsRef<str>>(words: &[T]) -> String {
    let quoted = words.iter().map(|word| {
        let word = word.as_ref();
        let is_plain = !word.is_empty()
            && !word.contains(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\'));
        match is_plain {
            true => word.to_owned(),
            false => format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_and_joined() {
        let check = |text: &str, expected: &[&str]| {
            let words = split_words(text).unwrap();
            assert_eq!(words, expected, "{text}");
            assert_eq!(split_words(&join_words(&words)).unwrap(), expected, "{text}");
        };
        check("", &[]);
        check("  a  b\tc ", &["a", "b", "c"]);
        check("cmd='a b' name=\"x y\"", &["cmd=a b", "name=x y"]);
        check(r#"a\ b "c\"d" 'e\f' ''"#, &["a b", "c\"d", "e\\f", ""]);
        check(r#"cmd="sh -c 'exit 1'""#, &["cmd=sh -c 'exit 1'"]);
        assert_eq!(split_words("a 'b c"), Err(OpenQuote('\'')));
        assert_eq!(split_words("a \"b' c"), Err(OpenQuote('"')));
    }
}
