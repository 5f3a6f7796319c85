use super::super::draw;
use super::*;
use isobox::Metrics;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

fn row(number: u8, name: &str, state: State) -> Row {
    let id = SandboxId::from_uuid(format!("01890000-0000-7000-8000-0000000000{number:02x}").parse().unwrap());
    let mut metrics = Metrics::at(Timestamp::from_unix(100, 0));
    metrics.memory = Some(3 << 20);
    metrics.pids = Some(2);
    let stats = StatsView { cpu_percent: Some(12.5), ..StatsView::new(id, None, metrics) };
    let stats = (state == State::Running).then_some(stats);
    Row { id, name: name.to_owned(), state, created_at: Timestamp::from_unix(40, 0), stats }
}

fn model() -> Model {
    let rows = vec![row(1, "web", State::Running), row(2, "", State::Paused), row(3, "old", State::Stopped)];
    let chosen = Some(rows[0].id);
    let events = VecDeque::from(["12:00:00  web  operation_started stop".to_owned()]);
    Model { rows, chosen, events, ..Model::default() }
}

fn press(model: &mut Model, code: KeyCode) -> Option<Asked> {
    model.key(&Input::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn drawn(model: &Model) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(100, 12)).unwrap();
    terminal.draw(|frame| draw::draw(frame, model, Timestamp::from_unix(100, 0))).unwrap();
    let text = terminal.backend().to_string();
    text.lines().map(|line| line.trim_matches('"').trim_end().to_owned()).collect()
}

#[test]
fn the_screen_has_a_line_for_each_sandbox_and_the_last_events() {
    let lines = drawn(&model());
    assert_eq!(lines[0], "3 sandboxes, 1 running, cpu 12.5 %, memory 3.0 MiB");
    assert_eq!(
        lines[1].split_whitespace().collect::<Vec<_>>(),
        ["NAME", "ID", "STATE", "CPU", "MEMORY", "LIMIT", "PIDS", "AGE"]
    );
    let words = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(2), format!("web {} running 12.5 % 3.0 MiB - 2 60s", model().rows[0].id));
    assert_eq!(words(3), format!("- {} paused - - - - 60s", model().rows[1].id));
    assert!(lines[7].starts_with("events") && lines[8].contains("operation_started stop"), "{lines:#?}");
    assert_eq!(lines[11], "q quit   arrows choose   p pause or go on   k kill what runs in it");
}

#[test]
fn who_waits_for_room_is_seen() {
    let waiting = vec!["create next  by isobox 7  since 3s".to_owned()];
    let lines = drawn(&Model { waiting, ..model() });
    assert!(lines[5].starts_with("1 wait for room") && lines[6].starts_with("create next  by isobox 7"), "{lines:#?}");
}

#[test]
fn a_small_screen_is_no_trouble() {
    for (width, height) in [(1, 1), (20, 3), (300, 2)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw::draw(frame, &model(), Timestamp::from_unix(100, 0))).unwrap();
    }
}

#[test]
fn arrows_choose_and_stay_within() {
    let mut model = model();
    for (code, expected) in [(KeyCode::Up, 0), (KeyCode::Down, 1), (KeyCode::Down, 2), (KeyCode::Down, 2)] {
        assert_eq!(press(&mut model, code), None);
        assert_eq!(model.position(), Some(expected));
    }
}

#[test]
fn killing_is_asked_for_twice() {
    let mut model = model();
    assert_eq!(press(&mut model, KeyCode::Char('k')), None);
    assert_eq!(drawn(&model)[11], "kill everything that runs in web? y or any other key");
    assert_eq!(press(&mut model, KeyCode::Char('n')), None);
    assert_eq!(model.question, None);
    press(&mut model, KeyCode::Char('k'));
    let Some(Asked::Do(deed)) = press(&mut model, KeyCode::Char('y')) else { panic!("nothing is done") };
    assert_eq!((deed.what, deed.id), (What::Kill, model.rows[0].id));
}

#[test]
fn a_pause_is_done_at_once_and_its_end_is_said() {
    let mut model = model();
    press(&mut model, KeyCode::Down);
    let Some(Asked::Do(deed)) = press(&mut model, KeyCode::Char('p')) else { panic!("nothing is done") };
    assert_eq!((deed.what, deed.state), (What::Pause, State::Paused));
    model.say("goes on\u{1b}".to_owned());
    assert_eq!(drawn(&model)[11], "goes on\\u{1b}");
}

#[test]
fn q_and_interrupts_end_it_also_within_a_question() {
    let mut model = model();
    assert_eq!(press(&mut model, KeyCode::Char('q')), Some(Asked::Quit));
    press(&mut model, KeyCode::Char('k'));
    let interrupt = Input::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert_eq!(model.key(&interrupt), Some(Asked::Quit));
    assert_eq!(press(&mut Model::default(), KeyCode::Char('p')), None, "there is nothing to pause");
}

#[test]
fn the_chosen_sandbox_stays_chosen_and_its_neighbour_follows_when_it_is_gone() {
    let mut model = model();
    press(&mut model, KeyCode::Down);
    model.rows.remove(0);
    assert_eq!(model.position(), Some(0), "it is the first now");
    let stats = Stats(Vec::new());
    model.measured(&[], &stats);
    assert_eq!((model.position(), press(&mut model, KeyCode::Down)), (None, None));
}
