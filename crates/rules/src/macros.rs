//! Macros for what many types have: sentences of errors, names of variants, read access to fields.

/// An enum of reasons. Each variant is followed by the sentence that `Display` prints.
macro_rules! reasons {
    ($(#[$meta:meta])* $enum:ident {$(
        $(#[$doc:meta])*
        $name:ident
            $(($($item:ident: $item_type:ty),+))?
            $({ $($(#[$field_doc:meta])* $field:ident: $type:ty),+ $(,)? })?
            => $sentence:literal $(, $value:expr)*;
    )+}) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum {$(
            $(#[$doc])*
            $name $(($($item_type),+))? $({ $($(#[$field_doc])* $field: $type),+ })?,
        )+}

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match *self {$(
                    $enum::$name $(($($item),+))? $({ $($field),+ })? => {
                        write!(f, $sentence $(, $value)*)
                    }
                )+}
            }
        }
    };
}

/// An error that says where a text cannot be read.
macro_rules! parse_error {
    ($(#[$meta:meta])* $name:ident, $sentence:literal, $problem:ident: $type:ty) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            /// The column of the character at fault, from 1; one past the end if something is
            /// missing.
            pub column: usize,
            /// What is wrong or missing there.
            pub $problem: $type,
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, $sentence, self.column, self.$problem)
            }
        }

        impl std::error::Error for $name {}
    };
}

/// An enum whose variants are known by a word. `$unknown` makes the error for any other word.
macro_rules! named {
    ($name:ident, $error:ident, $unknown:expr, $($variant:ident = $word:literal),+ $(,)?) => {
        impl $name {
            /// All of them.
            pub const ALL: [$name; [$($name::$variant),+].len()] = [$($name::$variant),+];

            /// The word that options and records use.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// The variant with this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($word => Some($name::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(name: &str) -> Result<$name, $error> {
                $name::from_name(name).ok_or_else(|| $unknown(name))
            }
        }
    };
}

/// Read access to private fields, for an `impl` block.
macro_rules! getters {
    ($($(#[$meta:meta])* $field:ident: $type:ty,)+) => {$(
        $(#[$meta])*
        #[inline]
        #[must_use]
        pub const fn $field(&self) -> $type {
            self.$field
        }
    )+};
}
