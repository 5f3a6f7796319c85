//! Users and groups, as the sandbox's own `/etc/passwd` and `/etc/group` name them.

use super::tree::Kind;
use super::view::View;
use super::{Author, Outcome};
use isobox_contract::FileErrorKind;

impl View<'_> {
    /// The numbers of `name`, `uid`, `uid:gid` or `name:group`; the group of a name is its own.
    pub(crate) fn owner(&self, text: &str) -> Option<(u32, Option<u32>)> {
        let (user, group) = text.split_once(':').map_or((text, None), |(user, group)| (user, Some(group)));
        let (uid, own) = match user.parse() {
            Ok(uid) => (uid, None),
            Err(_) => self.user(user)?,
        };
        let gid = match group {
            Some(group) => Some(group.parse().ok().or_else(|| self.number("group", group, 2))?),
            None => own,
        };
        Some((uid, gid))
    }

    fn user(&self, name: &str) -> Option<(u32, Option<u32>)> {
        if name == "root" {
            return Some((0, Some(0)));
        }
        Some((self.number("passwd", name, 2)?, self.number("passwd", name, 3)))
    }

    /// A number of the line with this name.
    fn number(&self, file: &str, name: &str, column: usize) -> Option<u32> {
        let key = [b"etc".to_vec(), file.as_bytes().to_vec()];
        let Kind::File(bytes) = &self.get(&key)?.kind else { return None };
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines().map(|line| line.split(':').collect::<Vec<_>>());
        lines.find(|columns| columns[0] == name)?.get(column)?.parse().ok()
    }

    /// Who makes something, when that is asked to belong to somebody.
    pub(crate) fn author(&self, author: &Author, owner: Option<&str>) -> Outcome<Author> {
        let Some(owner) = owner else { return Ok(*author) };
        let (uid, gid) = self.owner(owner).ok_or(FileErrorKind::NotFound)?;
        Ok(Author { uid, gid: gid.unwrap_or(author.gid), ..*author })
    }
}
