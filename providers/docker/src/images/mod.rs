//! Images of the engine.
//!
//! ```text
//!   reference ──▶ is it here? ──no──▶ one pull for all who want it ──▶ what it says about running programs
//!                     └──────────────────────yes───────────────────────▶
//! ```
//!
//! The engine keeps the images and shares their layers; isobox writes down which ones it brought, so that it never prunes
//! what somebody else put there.

mod archive;
mod books;
mod facet;
mod found;
mod list;
mod load;
mod name;
mod problem;
mod progress;
mod pull;
mod usage;

pub(crate) use found::Found;
pub(crate) use name::{Named, is_ours, own_tag};
pub(crate) use problem::pull_problem;
pub(crate) use progress::Progresses;
pub(crate) use pull::credentials;
pub(crate) use usage::disk_usage;

use crate::client::Engine;
use books::Books;
use isobox_contract::{Capability, Context, Error, ErrorCode, ImageSource, PullPolicy, Resource, Result};
use isobox_registry::Platform;
use pull::{Flights, Wanted};
use std::path::{Path, PathBuf};

/// What can be done with images.
pub(crate) const CLAIMS: [Capability; 8] = [
    Capability::SourceImage,
    Capability::SourceArchive,
    Capability::SourcePlatform,
    Capability::SourceRegistryAuth,
    Capability::ImagesPull,
    Capability::ImagesProgress,
    Capability::ImagesManage,
    Capability::ImagesLoad,
];

/// The images of an engine.
#[derive(Debug)]
pub(crate) struct Library {
    engine: Engine,
    home: PathBuf,
    flights: Flights,
    books: Books,
}

impl Library {
    /// Those of an engine; what is written down about them is below `home`.
    pub(crate) fn new(engine: Engine, home: &Path) -> Self {
        let books = Books::new(home, engine.address());
        Self { engine, home: home.to_owned(), flights: Flights::default(), books }
    }

    /// An image that is here when this returns: fetched if it has to be, with progress.
    ///
    /// # Errors
    /// `image_not_found`, and whatever keeps the engine from fetching it.
    pub(crate) async fn obtain(&self, source: &ImageSource, context: &Context) -> Result<Found> {
        let name = Named::parse(&source.reference)?;
        let platform = source.platform.as_deref().map(str::parse::<Platform>).transpose()?;
        let here = self.look(&name).await?.filter(|found| fits(platform.as_ref(), found));
        let fixed = name.is_fixed();
        match (here, source.pull) {
            (Some(found), PullPolicy::Missing | PullPolicy::Never) => return self.taken(found, platform).await,
            (Some(found), PullPolicy::Always) if fixed => return self.taken(found, platform).await,
            (None, PullPolicy::Never) => return Err(not_here(&name, "the pull policy is never: pull it first")),
            _ => {}
        }
        let Named::Registry(reference) = &name else {
            return Err(not_here(&name, "pull, build or load it there first"));
        };
        context.remaining("image.pull")?;
        let wanted = Wanted { reference: reference.clone(), platform: platform.clone(), auth: source.auth.clone() };
        self.flights.fetch(&self.engine, &self.home, wanted, context).await?;
        let found = self.look(&name).await?;
        let found = found.ok_or_else(|| not_here(&name, "it was removed just now: try again"))?;
        if !fits(platform.as_ref(), &found) {
            // Podman fetches what there is.
            return Err(not_here(&name, "its registry has it for other platforms only: give another platform"));
        }
        self.books.brought(&found.id);
        self.taken(found, platform).await
    }

    /// Takes a name of ours away, and the image when that was its last. What is not there is fine.
    pub(crate) async fn remove_name(&self, tag: &str) -> Result<()> {
        self.take_away(tag).await
    }

    /// An image that is here. `None` when it is not.
    pub(crate) async fn look(&self, name: &Named) -> Result<Option<Found>> {
        let asked = name.for_engine();
        match self.engine.api().inspect_image(&asked).await {
            Ok(inspected) => Found::of(name, inspected).map(Some),
            Err(error) => match self.engine.failed_on("look at the image", Resource::Image, &asked)(error) {
                error if error.code() == ErrorCode::ImageNotFound => Ok(None),
                error => Err(error),
            },
        }
    }

    /// Refuses an image that does not run here, unless the caller knows better, and remembers that it is used.
    async fn taken(&self, found: Found, chosen: Option<Platform>) -> Result<Found> {
        if chosen.is_none() {
            let architecture = &self.engine.facts().await?.architecture;
            let engine: Result<Platform> = architecture.parse();
            if let (Ok(engine), Some(image)) = (engine, &found.platform)
                && !engine.runs(image)
            {
                let reason =
                    format!("is an image for {image}, and the engine's machine is {engine}, give one for that");
                return Err(Error::invalid_spec("source.platform", reason));
            }
        }
        self.books.used(&found.id);
        Ok(found)
    }
}

/// Whether an image is for the platform that was asked for.
fn fits(platform: Option<&Platform>, found: &Found) -> bool {
    match (platform, &found.platform) {
        (Some(wanted), Some(platform)) => wanted.runs(platform),
        _ => true,
    }
}

fn not_here(name: &Named, what_to_do: &str) -> Error {
    let message = format!("docker has no image {name} for this, and {what_to_do}");
    let detail = isobox_contract::Detail::Resource { resource: Resource::Image, id: name.to_string() };
    Error::new(ErrorCode::ImageNotFound, message).with_detail(detail)
}
