//! Whose turn it is: a decision about plain data.
//!
//! Turns go round over processes and not over requests, so that one process with a thousand waiting does not starve
//! another with one. The next turn is that of the process with the fewest in the making; among equals, of the one whose
//! last turn is longest ago; and then of the request that came first. Requests of the background, such as those that fill
//! a pool, come after all others.
//!
//! Nobody overtakes: a request that needs more room than there is holds up those behind it until there is.

use std::collections::{BTreeMap, HashMap, VecDeque};

/// Whose a request is, and whether it may wait for all others. No owner is a process too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Party {
    pub(crate) background: bool,
    pub(crate) owner: String,
}

/// A request that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// The order in which they came.
    pub(crate) sequence: i64,
    pub(crate) party: Party,
    /// The sandboxes that will be live with it; at least 1.
    pub(crate) copies: u64,
}

/// What a process has had of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Share {
    /// How many it is making now.
    pub(crate) making: u64,
    /// The number of its last turn; 0 when it had none.
    pub(crate) last: u64,
}

/// What each process has had; nothing for those that are not in it.
pub(crate) type Shares = HashMap<String, Share>;

/// How much may begin now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Requests.
    pub(crate) requests: u64,
    /// Live sandboxes; no limit when absent.
    pub(crate) live: Option<u64>,
}

impl Room {
    /// Whether a request for that many sandboxes has room.
    pub(crate) fn has(&self, copies: u64) -> bool {
        self.requests > 0 && self.live.is_none_or(|live| live >= copies)
    }

    fn take(&mut self, copies: u64) -> bool {
        let fits = self.has(copies);
        if fits {
            self.requests -= 1;
            self.live = self.live.map(|live| live - copies);
        }
        fits
    }
}

/// All that wait, in the order of their turns if nothing else begins or ends.
pub(crate) struct Turns<'a> {
    waiting: BTreeMap<&'a Party, VecDeque<&'a Ticket>>,
    shares: HashMap<&'a str, Share>,
    /// The number of the last turn of all.
    last: u64,
}

/// All that wait, in the order of their turns. `tickets` may come in any order.
pub(crate) fn turns<'a>(tickets: &'a [Ticket], shares: &'a Shares) -> Turns<'a> {
    let mut sorted: Vec<&Ticket> = tickets.iter().collect();
    sorted.sort_by_key(|ticket| ticket.sequence);
    let mut waiting: BTreeMap<_, VecDeque<_>> = BTreeMap::new();
    for ticket in sorted {
        waiting.entry(&ticket.party).or_default().push_back(ticket);
    }
    let last = shares.values().map(|share| share.last).max().unwrap_or(0);
    Turns { waiting, shares: shares.iter().map(|(owner, share)| (owner.as_str(), *share)).collect(), last }
}

impl<'a> Iterator for Turns<'a> {
    type Item = &'a Ticket;

    fn next(&mut self) -> Option<&'a Ticket> {
        let share = |party: &Party| self.shares.get(party.owner.as_str()).copied().unwrap_or_default();
        let first = self.waiting.iter().filter_map(|(party, queue)| Some((*party, queue.front()?.sequence)));
        let (party, _) = first.min_by_key(|(party, sequence)| (party.background, share(party), *sequence))?;
        let ticket = self.waiting.get_mut(party)?.pop_front()?;
        let share = self.shares.entry(party.owner.as_str()).or_default();
        self.last += 1;
        *share = Share { making: share.making + 1, last: self.last };
        Some(ticket)
    }
}

/// Those that may begin now.
pub(crate) fn admitted<'a>(
    tickets: &'a [Ticket],
    shares: &'a Shares,
    mut room: Room,
) -> impl Iterator<Item = &'a Ticket> {
    turns(tickets, shares).take_while(move |ticket| room.take(ticket.copies))
}

#[cfg(test)]
mod tests;
