//! Which image of an archive is meant.

use crate::platform::Platform;
use crate::service::whole_name;
use crate::store::ArchivedImage;
use isobox_contract::{Error, Result};

impl AsRef<Self> for ArchivedImage {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// The image that `reference` names, or the only one there is. Of several for different machines it is this machine's.
///
/// # Errors
/// `invalid_spec` that names `source.reference` and says which images there are.
pub(crate) fn choose<'a, C: AsRef<ArchivedImage>>(
    images: &'a [C],
    reference: Option<&str>,
    archive: &str,
) -> Result<&'a C> {
    let named: Vec<_> =
        images.iter().filter(|image| reference.is_none_or(|reference| is_named(image.as_ref(), reference))).collect();
    let here = Platform::here();
    let fitting: Vec<_> = named.iter().filter(|image| image.as_ref().platform.runs_on(&here)).collect();
    match (named.as_slice(), fitting.as_slice()) {
        ([one], _) => Ok(one),
        (_, [one]) => Ok(one),
        (all, _) => {
            let there = list(images);
            let archive = archive.escape_debug();
            let reason = match (all, reference) {
                (_, _) if images.is_empty() => format!("cannot be found: {archive} has no image"),
                ([], Some(reference)) => {
                    format!("{} is not in {archive}, give one of {there}", reference.escape_debug())
                }
                (_, Some(reference)) => {
                    format!("{} is several images of {archive}, give one of {there}", reference.escape_debug())
                }
                (_, None) => format!("is needed: {archive} has several images, give one of {there}"),
            };
            Err(Error::invalid_spec("source.reference", reason))
        }
    }
}

fn is_named(image: &ArchivedImage, reference: &str) -> bool {
    let whole = whole_name(reference).ok();
    let is = |name: &str| {
        name == reference || (whole.is_some() && whole_name(name).ok() == whole) || tag_only(name, reference)
    };
    image.names.iter().any(|name| is(name))
        || image.id.as_str() == reference
        || image.digest.as_ref().is_some_and(|digest| digest.as_str() == reference)
}

/// Whether an archive knows the image by its tag alone, as OCI tools write it.
fn tag_only(name: &str, reference: &str) -> bool {
    !name.contains(['/', ':']) && reference.rsplit_once(':').is_some_and(|(_, tag)| tag == name && !tag.contains('/'))
}

fn list<C: AsRef<ArchivedImage>>(images: &[C]) -> String {
    let name = |image: &C| {
        let ArchivedImage { names, id, platform, .. } = image.as_ref();
        match names.first() {
            Some(name) => format!("{} ({platform})", name.escape_debug()),
            None => format!("{id} ({platform})"),
        }
    };
    let mut names: Vec<_> = images.iter().take(20).map(name).collect();
    if images.len() > names.len() {
        names.push(format!("{} more", images.len() - names.len()));
    }
    names.join(", ")
}
