//! What every request passes: who may ask, and the headers that keep the page to itself.
//!
//! The program listens on this computer only, but a web page from elsewhere can make the browser of this computer ask: by naming 127.0.0.1, or by a
//! domain name that suddenly points here. So the request must name this computer as its host, and a WebSocket, or what changes anything, must come from a page of
//! this very server.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                   form-action 'none'; frame-ancestors 'none'";

/// The names under which this computer is asked.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

pub(crate) async fn guard(request: Request, next: Next) -> Response {
    if !names_this_computer(request.headers()) {
        return (StatusCode::MISDIRECTED_REQUEST, "This server answers on 127.0.0.1 only.\n").into_response();
    }
    let is_ours_alone = request.uri().path() == "/ws" || !request.method().is_safe();
    if is_ours_alone && !comes_from_our_page(request.headers()) {
        return (StatusCode::FORBIDDEN, "This is for the server's own page.\n").into_response();
    }
    let mut response = next.run(request).await;
    secure(response.headers_mut());
    response
}

fn secure(headers: &mut HeaderMap) {
    let html =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if html {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn names_this_computer(headers: &HeaderMap) -> bool {
    text(headers, header::HOST).is_some_and(|host| {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        HOSTS.iter().any(|known| name.eq_ignore_ascii_case(known))
    })
}

/// A browser always sends the origin of the page that opens a WebSocket or sends something. None, or another than ours, is refused.
fn comes_from_our_page(headers: &HeaderMap) -> bool {
    let (Some(origin), Some(host)) = (text(headers, header::ORIGIN), text(headers, header::HOST)) else {
        return false;
    };
    origin.strip_prefix("http://").is_some_and(|from| from.eq_ignore_ascii_case(host))
}
