//! The cookie that holds the token of a browser. Scripts cannot read it (`HttpOnly`), and it is not
//! sent with requests of other sites, except when a link there opens a page here (`SameSite=Lax`).

use crate::ids::Secret;
use axum::http::{HeaderMap, HeaderValue, header};

/// The cookie over plain HTTP.
const PLAIN: &str = "azulejo";

/// The cookie over HTTPS. Browsers accept this prefix only with `Secure` and without a domain, so that
/// neither another host of the domain nor a page over plain HTTP can set it.
const SECURE: &str = "__Host-azulejo";

/// How long a browser keeps it: a year.
const MAX_AGE_S: u32 = 31_536_000;

/// The token in the cookie of a request. Over HTTPS the plain cookie counts, too, for browsers that
/// have one of an earlier version; [`replace_plain`] replaces it.
pub(crate) fn token(headers: &HeaderMap, is_secure: bool) -> Option<&str> {
    let secure = is_secure.then(|| value(headers, SECURE)).flatten();
    secure.or_else(|| value(headers, PLAIN))
}

fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The `Set-Cookie` header that gives a browser its token.
pub(crate) fn set(token: &str, is_secure: bool) -> Option<HeaderValue> {
    let (name, secure) = if is_secure { (SECURE, "; Secure") } else { (PLAIN, "") };
    header(name, token, MAX_AGE_S, secure)
}

/// The `Set-Cookie` headers that remove the token from a browser.
pub(crate) fn clear() -> impl Iterator<Item = HeaderValue> {
    [header(PLAIN, "", 0, ""), header(SECURE, "", 0, "; Secure")].into_iter().flatten()
}

/// The `Set-Cookie` headers that replace a plain cookie by one for HTTPS.
pub(super) fn replace_plain(headers: &HeaderMap) -> Option<[HeaderValue; 2]> {
    if value(headers, SECURE).is_some() {
        return None;
    }
    let token = Secret::read(value(headers, PLAIN)?)?;
    Some([set(token.reveal(), true)?, header(PLAIN, "", 0, "")?])
}

fn header(name: &str, value: &str, max_age_s: u32, more: &str) -> Option<HeaderValue> {
    let text = format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={max_age_s}{more}");
    HeaderValue::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(cookies: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, cookies.parse().unwrap())])
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        for (cookies, plain, secure) in [
            ("a=1; azulejo=xyz; b=2", Some("xyz"), Some("xyz")),
            ("azulejo=old; __Host-azulejo=new", Some("old"), Some("new")),
            ("__Host-azulejo=new", None, Some("new")),
            ("azulejo2=xyz", None, None),
            ("azulejo=", Some(""), Some("")),
            ("", None, None),
        ] {
            assert_eq!(token(&with(cookies), false), plain, "{cookies}");
            assert_eq!(token(&with(cookies), true), secure, "{cookies}");
        }
    }

    #[test]
    fn a_plain_cookie_is_replaced_once() {
        let token = Secret::new();
        let plain = format!("azulejo={}", token.reveal());
        let [new, old] = replace_plain(&with(&plain)).unwrap();
        let new = new.to_str().unwrap();
        assert!(new.starts_with(&format!("__Host-azulejo={}; ", token.reveal())), "{new}");
        assert!(new.ends_with("; Path=/; Max-Age=31536000; Secure"), "{new}");
        assert!(old.to_str().unwrap().starts_with("azulejo=; "));
        let both = format!("{plain}; __Host-azulejo={}", token.reveal());
        assert!(replace_plain(&with(&both)).is_none());
        assert!(replace_plain(&with("azulejo=nonsense")).is_none());
    }
}
