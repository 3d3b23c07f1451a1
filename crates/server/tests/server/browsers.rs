//! What protects the visitors of a page: the `Host` allow-list, the cookie over HTTPS, HSTS and CORS.

use crate::host::{Host, post, raw, sqlite};

fn get(host: &str, headers: &str) -> String {
    format!("GET /api/v1/me HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n")
}

/// The values of a header in an answer.
fn headers<'a>(answer: &'a str, name: &str) -> Vec<&'a str> {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    head.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).collect()
}

/// A page of another site whose name points to this server is not served (DNS rebinding).
#[tokio::test]
async fn only_known_hosts_are_answered() {
    let database = sqlite();
    let mut config = database.config();
    config.hosts = vec!["azul.example.org".to_owned()];
    let host = Host::start(config).await;
    let own = host.server.address().to_string();
    for name in [own.as_str(), "localhost:8137", "azul.example.org", "AZUL.example.org:443"] {
        let answer = raw(&host, &get(name, "")).await;
        assert!(answer.starts_with("HTTP/1.1 401"), "{name}: {answer}");
    }
    for name in ["evil.example", "evil.example:8137", "azul.example.org.evil.example"] {
        let answer = raw(&host, &get(name, "")).await;
        assert!(answer.starts_with("HTTP/1.1 421"), "{name}: {answer}");
        assert!(answer.contains("wrong_host") && answer.contains("--hosts"), "{answer}");
    }
    host.server.stop().await;
    // A proxy knows its names: behind one, names are checked if some are given.
    let mut config = database.config();
    config.trusts_proxy = true;
    let host = Host::start(config).await;
    assert!(raw(&host, &get("azul.example.org", "")).await.starts_with("HTTP/1.1 401"));
    host.server.stop().await;
}

/// Over HTTPS the cookie has the prefix `__Host-`; a cookie of an earlier version still works, and is
/// replaced.
#[tokio::test]
async fn the_cookie_over_https_cannot_be_set_by_other_hosts() {
    let database = sqlite();
    let host = database.host().await;
    let person = "{\"name\":\"Ana\",\"cookie\":true}";
    let answer = raw(&host, &post("/people", "", person)).await;
    assert!(headers(&answer, "strict-transport-security").is_empty());
    let old = headers(&answer, "set-cookie")[0].split(';').next().unwrap().to_owned();
    assert!(old.starts_with("azulejo="), "{old}");
    host.server.stop().await;

    let mut config = database.config();
    config.is_secure = true;
    let host = Host::start(config).await;
    let answer = raw(&host, &get("localhost", &format!("Cookie: {old}\r\n"))).await;
    assert!(answer.contains("\"Ana\""), "{answer}");
    assert_eq!(headers(&answer, "strict-transport-security"), ["max-age=31536000"]);
    let cookies = headers(&answer, "set-cookie");
    let token = old.strip_prefix("azulejo=").unwrap();
    assert_eq!(cookies.len(), 2, "{answer}");
    assert!(cookies[0].starts_with(&format!("__Host-azulejo={token}; ")), "{answer}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
        assert!(cookies[0].contains(attribute), "{answer}");
    }
    assert!(!cookies[0].contains("Domain"), "{answer}");
    assert!(cookies[1].starts_with("azulejo=; ") && cookies[1].contains("Max-Age=0"), "{answer}");
    // The new cookie wins over one that another host of the domain may have set.
    let other = raw(&host, &post("/people", "", "{\"name\":\"Eve\"}")).await;
    let eve = other.split("\"token\":\"").nth(1).unwrap().split('"').next().unwrap();
    let both = format!("Cookie: azulejo={eve}; __Host-azulejo={token}\r\n");
    let answer = raw(&host, &get("localhost", &both)).await;
    assert!(answer.contains("\"Ana\"") && headers(&answer, "set-cookie").is_empty(), "{answer}");
    let new = raw(&host, &post("/people", "", person)).await;
    assert!(headers(&new, "set-cookie")[0].starts_with("__Host-azulejo="), "{new}");
    host.server.stop().await;
}

/// Pages of an allowed origin may use the API from a browser, and pages of others may not.
#[tokio::test]
async fn allowed_origins_get_cors_headers() {
    let database = sqlite();
    let mut config = database.config();
    config.origins = vec!["https://club.example".to_owned()];
    config.limits.is_on = true;
    config.limits.requests = 0.5;
    let host = Host::start(config).await;
    let preflight = |origin: &str| {
        format!(
            "OPTIONS /api/v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Origin: {origin}\r\nAccess-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: authorization,content-type\r\n\r\n"
        )
    };
    let answer = raw(&host, &preflight("https://club.example")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let allowed = |name: &str| headers(&answer, &format!("access-control-allow-{name}"));
    assert_eq!(allowed("origin"), ["https://club.example"]);
    assert_eq!(allowed("credentials"), ["true"]);
    assert_eq!(allowed("methods"), ["GET,POST,PATCH,DELETE"]);
    assert_eq!(allowed("headers"), ["authorization,content-type"]);
    assert_eq!(headers(&answer, "access-control-max-age"), ["600"]);
    let answer = raw(&host, &preflight("https://evil.example")).await;
    assert!(headers(&answer, "access-control-allow-origin").is_empty(), "{answer}");

    // The answer itself, and a refusal of the limits, can be read by the page.
    let club = "Origin: https://club.example\r\n";
    let mut statuses = Vec::new();
    for _ in 0..6 {
        let answer = raw(&host, &post("/people", club, "{}")).await;
        assert_eq!(headers(&answer, "access-control-allow-origin"), ["https://club.example"]);
        assert_eq!(headers(&answer, "access-control-allow-credentials"), ["true"]);
        let exposed = headers(&answer, "access-control-expose-headers")[0];
        assert!(exposed.contains("retry-after") && exposed.contains("x-request-id"), "{answer}");
        assert!(headers(&answer, "vary").iter().any(|vary| vary.contains("origin")), "{answer}");
        statuses.push(answer.split(' ').nth(1).unwrap().to_owned());
    }
    assert_eq!(statuses, ["201", "201", "201", "201", "201", "429"]);
    host.server.stop().await;

    // Without --origins there is no CORS header at all.
    let host = sqlite();
    let host = host.host().await;
    let answer = raw(&host, &preflight("https://club.example")).await;
    assert!(!answer.contains("access-control"), "{answer}");
    assert!(raw(&host, &post("/people", club, "{}")).await.contains("bad_origin"));
    host.server.stop().await;
}
