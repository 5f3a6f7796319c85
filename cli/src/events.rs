//! `isobox events`: what happened, and what happens.

use crate::args::{EventsArgs, Form};
use crate::output::{self, Reader};
use crate::parse::Since;
use crate::view::EventView;
use crate::{exit, failure, find, runtime};
use isobox::contract::Event;
use isobox::{Error, EventFilter, Followed, Isobox, Result, Timestamp};
use std::time::SystemTime;

pub(crate) fn main(args: &EventsArgs) -> Result<u8> {
    runtime::until_stopped(async |isobox| print(isobox, args).await)
}

async fn print(isobox: &Isobox, args: &EventsArgs) -> Result<u8> {
    let filter = filter(isobox, args).await?;
    let (after, earliest) = match args.since {
        None => (0, None),
        Some(Since::Number(number)) => (number, None),
        Some(Since::Ago(length)) => (0, SystemTime::now().checked_sub(length).map(Timestamp::from)),
    };
    let mut follow = isobox.events(after, filter);
    loop {
        let followed = if args.follow { Some(follow.next().await?) } else { follow.next_now().await? };
        let reader = match followed {
            None => return Ok(0),
            Some(Followed::Event(event)) if earliest.is_none_or(|earliest| event.at >= earliest) => {
                put(*event, args.form.output)?
            }
            // From the beginning on means from what is kept.
            Some(Followed::Gone { oldest }) if after > 0 => {
                failure::note(&format!("events before number {oldest} are not kept any more"));
                Reader::There
            }
            Some(_) => Reader::There,
        };
        if reader == Reader::Gone {
            return Ok(exit::NO_READER);
        }
    }
}

fn put(event: Event, form: Form) -> Result<Reader> {
    output::piece(&EventView(event), form)
}

async fn filter(isobox: &Isobox, args: &EventsArgs) -> Result<EventFilter> {
    let mut filter = EventFilter::default();
    for (key, value) in &args.filters {
        match key.as_str() {
            "sandbox" => filter.sandboxes.push(find::remembered(isobox, value).await?.id),
            "type" => filter.kinds.push(value.clone()),
            _ => {
                let reason = format!("{key} is not known, use sandbox or type");
                return Err(Error::invalid_spec("--filter", reason));
            }
        }
    }
    Ok(filter)
}
