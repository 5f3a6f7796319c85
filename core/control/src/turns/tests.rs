//! What holds for every queue.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn ticket(sequence: i64, owner: u8, background: bool, copies: u64) -> Ticket {
    Ticket { sequence, party: Party { background, owner: owner.to_string() }, copies }
}

fn tickets() -> impl Strategy<Value = Vec<Ticket>> {
    let one = (0u8..5, prop::bool::weighted(0.2), 1u64..4);
    prop::collection::vec(one, 0..40).prop_map(|all| {
        all.into_iter().zip(1..).map(|((owner, background, copies), n)| ticket(n, owner, background, copies)).collect()
    })
}

fn shares() -> impl Strategy<Value = Shares> {
    let share = (0u64..6, 0u64..9).prop_map(|(making, last)| Share { making, last });
    prop::collection::hash_map((0u8..5).prop_map(|owner| owner.to_string()), share, 0..5)
}

fn room() -> impl Strategy<Value = Room> {
    (0u64..12, prop::option::of(0u64..20)).prop_map(|(requests, live)| Room { requests, live })
}

proptest! {
    #[test]
    fn everybody_has_one_turn_and_each_process_in_its_order(tickets in tickets(), shares in shares()) {
        let order: Vec<&Ticket> = turns(&tickets, &shares).collect();
        let seen: BTreeSet<i64> = order.iter().map(|ticket| ticket.sequence).collect();
        prop_assert_eq!((order.len(), seen.len()), (tickets.len(), tickets.len()));
        for party in tickets.iter().map(|ticket| &ticket.party) {
            let own: Vec<i64> = order.iter().filter(|t| t.party == *party).map(|t| t.sequence).collect();
            prop_assert!(own.is_sorted());
        }
    }

    #[test]
    fn no_process_gets_a_turn_while_one_that_had_less_waits(tickets in tickets(), shares in shares()) {
        let mut had = shares.clone();
        let last = had.values().map(|share| share.last).max().unwrap_or(0);
        let mut waiting = tickets.clone();
        for (last, next) in (last + 1..).zip(turns(&tickets, &shares)) {
            let of = |ticket: &Ticket| had.get(&ticket.party.owner).copied().unwrap_or_default();
            for other in &waiting {
                prop_assert!(other.party.background >= next.party.background, "the background waits");
                if other.party.background == next.party.background {
                    let (theirs, ours) = (of(other), of(next));
                    prop_assert!(ours.making <= theirs.making, "no process with fewer waits");
                    prop_assert!(ours.making < theirs.making || ours.last <= theirs.last, "nor one that had less");
                    prop_assert!(ours < theirs || next.sequence <= other.sequence, "nor one that came first");
                }
            }
            waiting.retain(|ticket| ticket.sequence != next.sequence);
            let share = had.entry(next.party.owner.clone()).or_default();
            *share = Share { making: share.making + 1, last };
        }
    }

    #[test]
    fn room_is_used_in_order_and_never_exceeded(tickets in tickets(), shares in shares(), room in room()) {
        let order: Vec<&Ticket> = turns(&tickets, &shares).collect();
        let begun: Vec<&Ticket> = admitted(&tickets, &shares, room).collect();
        prop_assert_eq!(&order[..begun.len()], &begun[..], "nobody overtakes");
        let copies: u64 = begun.iter().map(|ticket| ticket.copies).sum();
        prop_assert!(begun.len() as u64 <= room.requests);
        prop_assert!(room.live.is_none_or(|live| copies <= live));
        if let Some(next) = order.get(begun.len()) {
            let full = begun.len() as u64 == room.requests;
            prop_assert!(full || room.live.is_some_and(|live| copies + next.copies > live), "no room is wasted");
        }
    }

    #[test]
    fn the_first_of_each_process_are_enough_to_decide(tickets in tickets(), shares in shares(), room in room()) {
        // The store reads no more of them.
        let mut counts: HashMap<&Party, u64> = HashMap::new();
        let first: Vec<Ticket> = tickets
            .iter()
            .filter(|ticket| {
                let count = counts.entry(&ticket.party).or_default();
                *count += 1;
                *count <= room.requests
            })
            .cloned()
            .collect();
        let all: Vec<&Ticket> = admitted(&tickets, &shares, room).collect();
        let some: Vec<&Ticket> = admitted(&first, &shares, room).collect();
        prop_assert_eq!(all, some);
    }
}

#[test]
fn one_request_is_not_behind_a_thousand_of_another_process() {
    let mut all: Vec<Ticket> = (1..=1000).map(|n| ticket(n, 1, false, 1)).collect();
    all.push(ticket(1001, 2, false, 1));
    let place = |share| {
        let shares = Shares::from([("1".to_owned(), share)]);
        turns(&all, &shares).position(|ticket| ticket.sequence == 1001).unwrap()
    };
    assert_eq!(place(Share { making: 4, last: 0 }), 0, "the other process is making four");
    assert_eq!(place(Share { making: 0, last: 7 }), 0, "the other process had a turn");
    assert_eq!(place(Share::default()), 1, "the other one came first");
}
