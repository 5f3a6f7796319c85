//! `WWW-Authenticate`: what a registry wants to see before it answers. Pure.

use http_auth::ChallengeParser;

/// The longest header that is looked at.
const LONGEST: usize = 8 * 1024;

/// What a registry asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// A token from somewhere.
    Bearer {
        /// Where.
        realm: String,
        /// For what service.
        service: Option<String>,
    },
    /// A name and a password.
    Basic,
}

/// The strongest of the challenges in a header that can be met: a token before a password. `None` when there is none,
/// or the header cannot be read.
pub fn parse(header: &[u8]) -> Option<Challenge> {
    let text = std::str::from_utf8(header).ok().filter(|text| text.len() <= LONGEST)?;
    let mut basic = None;
    for challenge in ChallengeParser::new(text) {
        // Those before an unreadable one count.
        let Ok(challenge) = challenge else { break };
        let parameter = |name: &str| {
            let found = challenge.params.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.to_unescaped())
        };
        if challenge.scheme.eq_ignore_ascii_case("bearer")
            && let Some(realm) = parameter("realm")
        {
            return Some(Challenge::Bearer { realm, service: parameter("service") });
        }
        if challenge.scheme.eq_ignore_ascii_case("basic") {
            basic = Some(Challenge::Basic);
        }
    }
    basic
}
