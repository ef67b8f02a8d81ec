//! The loop, with a user who types a script and an engine that writes down what it is asked.

use super::*;

/// The engine: refuses statements that hold `wrong`, is interrupted in those that hold `slow`, and makes a table of every `CREATE name`.
#[derive(Default)]
struct Scripted {
    asked: Vec<(String, Format)>,
    tables: Vec<Table>,
}

impl Asked for Scripted {
    fn ask(&mut self, statement: &str, format: Format) -> Result<(), Refused> {
        self.asked.push((statement.to_owned(), format));
        if statement.contains("wrong") {
            return Err(Refused::Failed("no such column\nhint: there are others".to_owned()));
        }
        if statement.contains("slow") {
            return Err(Refused::Interrupted);
        }
        if let Some(name) = statement.strip_prefix("CREATE ") {
            let columns = vec![Column { name: "a".to_owned(), kind: "Int64".to_owned() }];
            self.tables.push(Table { name: name.to_owned(), columns });
        }
        Ok(())
    }

    fn words(&mut self) -> Words {
        let function = |name: &str| Function { name: name.to_owned(), summary: format!("{name}(text)") };
        Words { tables: self.tables.clone(), functions: vec![function("deidentify"), function("sentences")] }
    }

    fn columns(&mut self, table: &str) -> Result<Vec<Column>, Refused> {
        match self.tables.iter().find(|known| known.name == table) {
            Some(known) => Ok(known.columns.clone()),
            None => Err(Refused::Failed(format!("no table {table}"))),
        }
    }
}

/// The user: types lines, `^C` for Ctrl-C, and Ctrl-D at the end.
#[derive(Default)]
struct Typed {
    script: std::collections::VecDeque<String>,
    prompts: Vec<String>,
    kept: Vec<String>,
    known: Vec<usize>,
    full: bool,
}

impl ReadLines for Typed {
    fn read(&mut self, prompt: &str) -> io::Result<Line> {
        self.prompts.push(prompt.to_owned());
        Ok(match self.script.pop_front() {
            None => Line::End,
            Some(line) if line == "^C" => Line::Interrupted,
            Some(line) => Line::Text(line),
        })
    }

    fn keep(&mut self, text: &str) -> io::Result<()> {
        self.kept.push(text.to_owned());
        if std::mem::take(&mut self.full) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn learn(&mut self, words: Words) {
        self.known.push(words.tables.len());
    }
}

struct Session {
    engine: Scripted,
    user: Typed,
    output: String,
    messages: String,
}

fn session(user: Typed, lines: &[&str]) -> Session {
    let (mut engine, mut output, mut messages) = (Scripted::default(), Vec::new(), Vec::new());
    let mut user = Typed { script: lines.iter().map(|line| (*line).to_owned()).collect(), ..user };
    let shell = Shell {
        asked: &mut engine,
        lines: &mut user,
        output: &mut output,
        messages: &mut messages,
        format: Format::Table,
        timing: false,
    };
    { shell }.run().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Session { engine, user, output: text(output), messages: text(messages) }
}

fn typed(lines: &[&str]) -> Session {
    session(Typed::default(), lines)
}

impl Session {
    fn statements(&self) -> Vec<&str> {
        self.engine.asked.iter().map(|(statement, _)| statement.as_str()).collect()
    }
}

#[test]
fn statements_go_over_lines_and_several_stand_in_one() {
    let session = typed(&["SELECT ';'", "", "  FROM t; SELECT 2", ";", "-- nothing", "", "SELECT 3;;"]);
    assert_eq!(session.statements(), ["SELECT ';'\n\n  FROM t", "SELECT 2", "SELECT 3"]);
    assert_eq!(session.user.prompts[..5], [PROMPTS[0], PROMPTS[1], PROMPTS[1], PROMPTS[1], PROMPTS[0]]);
    assert_eq!(session.user.kept, ["SELECT ';'\n\n  FROM t; SELECT 2\n;", "-- nothing", "", "SELECT 3;;"]);
    assert_eq!(PROMPTS[0].len(), PROMPTS[1].len());
    assert_eq!(session.messages, "");
}

#[test]
fn an_error_is_told_and_the_shell_goes_on() {
    let session = typed(&["SELECT wrong; SELECT 2; SELECT 3;", "\\nothing", "SELECT slow;", "SELECT 4;"]);
    assert_eq!(session.statements(), ["SELECT wrong", "SELECT slow", "SELECT 4"]);
    assert_eq!(
        session.messages,
        "error: no such column\nhint: there are others\nstatements after it that were not done: 2\n\
         error: there is no such command; \\? lists them\ninterrupted\n"
    );
}

#[test]
fn interrupting_drops_what_was_typed() {
    let session = typed(&["SELECT 'open", "^C", "SELECT 2;", "^C"]);
    assert_eq!(session.statements(), ["SELECT 2"]);
    assert_eq!(session.user.prompts, [PROMPTS[0], PROMPTS[1], PROMPTS[0], PROMPTS[0], PROMPTS[0]]);
}

#[test]
fn the_end_comes_by_command_word_or_key() {
    for end in ["\\q", "quit", "EXIT;", " exit"] {
        assert_eq!(typed(&["SELECT 1;", end, "SELECT 2;"]).statements(), ["SELECT 1"], "{end}");
    }
    let session = typed(&["SELECT 1;", "SELECT 2", "quit"]);
    assert_eq!(session.statements(), ["SELECT 1"]);
    assert_eq!(session.messages, "the last statement did not end with `;` and was not done\n");
}

#[test]
fn lists_show_what_there_is_now() {
    let session = typed(&["\\d", "CREATE notes;", "\\d", "\\d notes", "\\d other", "\\df ID", "\\df"]);
    assert_eq!(
        session.output,
        "notes  1 column\na  Int64\ndeidentify  deidentify(text)\n\
         deidentify  deidentify(text)\nsentences   sentences(text)\n"
    );
    assert_eq!(session.messages, "error: no table other\n");
    assert_eq!(session.user.known, [0, 1]);
}

#[test]
fn formats_and_times_are_as_was_said() {
    let session =
        typed(&["\\format csv", "SELECT 1;", "\\format parquet", "\\timing", "SELECT 2;", "\\timing off", "SELECT 3;"]);
    assert_eq!(session.engine.asked.iter().map(|(_, format)| *format).collect::<Vec<_>>(), [Format::Csv; 3]);
    let lines: Vec<_> = session.messages.lines().collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[0] == "rows are printed as csv" && lines[1].starts_with("error: Parquet"), "{lines:?}");
    assert!(lines[2] == "timing is on" && lines[3].starts_with("took ") && lines[4] == "timing is off", "{lines:?}");
    assert_eq!(
        [12_340, 1_234_000, 61_000_000].map(Duration::from_micros).map(told),
        ["12.3 ms", "1.23 s", "1 min 1 s"]
    );
}

#[test]
fn a_history_that_cannot_be_written_ends_nothing() {
    let session = session(Typed { full: true, ..Typed::default() }, &["SELECT 1;", "SELECT 2;"]);
    assert_eq!(session.statements(), ["SELECT 1", "SELECT 2"]);
    assert_eq!(session.messages.lines().count(), 1);
    assert!(session.messages.starts_with("warning: the history is no longer kept"));
}

#[test]
fn what_is_whole_is_handed_over() {
    for whole in ["", "\\d", "quit", "SELECT 1;", "-- a", "SELECT 1; -- a", "\\d 'it"] {
        assert!(is_whole(whole), "{whole}");
    }
    for unfinished in ["SELECT 1", "SELECT ';", "quit now", "/* a", "SELECT 1; SELECT"] {
        assert!(!is_whole(unfinished), "{unfinished}");
    }
}
