//! How fast is a Scid database read and written? si4 to PGN and PGN to si4 against the Scid that is
//! installed, from opening the files to closing them.
//!
//! tabiya works on one thread and makes sure that what it wrote is on the disk. Scid uses a second
//! thread. It is timed by a clock in its script, so that the start of its process does not count.

use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use tabiya_formats::{
    Database,
    io::Input,
    pgn::{self, Pgn},
    scid::{self, Builder, Version},
};
use tabiya_game::{Event, Flow, GameSink, Needs};
use tabiya_peers::{contest::Contest, data, scid::Scid};

fn main() {
    let Some(program) = Scid::find() else { return };
    let Some(folder) = data::folder() else { return };
    let start = Instant::now();
    let _ = program.run("");
    println!(
        "Scid starts in {} ms, which do not count",
        start.elapsed().as_millis()
    );
    compare(
        &program,
        "twic-small",
        &[folder.join("pgn/twic-small.pgn.zst")],
    );
    let files = fs::read_dir(folder.join("pgn/annotated")).expect("a folder");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    compare(&program, "annotated", &files);
}

/// All games of some files, there and back.
fn compare(program: &Scid, title: &str, files: &[std::path::PathBuf]) {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    let mut all = File::create(&pgn).expect("a file");
    for file in files {
        let mut input = Input::open(file).expect("a file");
        std::io::copy(&mut input, &mut all).expect("a copy");
        all.write_all(b"\n\n").expect("a file");
    }
    drop(all);
    let base = folder.path().join("games.si4");
    to_si4(&pgn, &base);
    let mut plies = Plies(0);
    tell(&mut open(&base), &mut plies);
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    Contest::new(format!("{title}: si4 to PGN"), "ply", plies.0)
        .add("tabiya", || to_pgn(&base, &ours.with_extension("pgn")))
        .add_process("Scid", || {
            let (base, pgn) = (base.with_extension(""), theirs.with_extension("pgn"));
            timed(
                program,
                &format!(
                    "set base [sc_base open SCID4 {}]
                    sc_filter export $base dbfilter N+ {} PGN
                    sc_base close $base",
                    base.display(),
                    pgn.display()
                ),
            )
        })
        .run();
    Contest::new(format!("{title}: PGN to si4"), "ply", plies.0)
        .add("tabiya", || to_si4(&pgn, &ours.with_extension("si4")))
        .add_process("Scid", || {
            // It makes no database where there is one.
            for kind in ["si4", "sn4", "sg4"] {
                let _ = fs::remove_file(theirs.with_extension(kind));
            }
            timed(
                program,
                &format!(
                    "set base [sc_base create SCID4 {}]
                    sc_base import $base {}
                    sc_base close $base",
                    theirs.display(),
                    pgn.display()
                ),
            )
        })
        .run();
}

/// How long Scid works on a script.
fn timed(program: &Scid, script: &str) -> Duration {
    let said = program.run(&format!("puts [lindex [time {{{script}}}] 0]"));
    Duration::from_micros(said.trim().parse().expect("a time"))
}

struct Plies(u64);

impl GameSink for Plies {
    fn needs(&mut self) -> Needs {
        Needs::ALL.tags(false).notes(false)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0 += u64::from(matches!(event, Event::Move { .. } | Event::Null { .. }));
        Flow::Continue
    }
}

fn open(base: &Path) -> scid::Scid {
    scid::Scid::open(base, scid::ReadOptions::default()).expect("a database")
}

fn tell(database: &mut dyn Database, sink: &mut dyn GameSink) {
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(sink).expect("a part");
    }
}

fn to_pgn(base: &Path, pgn: &Path) -> u64 {
    let mut database = open(base);
    let mut file = File::create(pgn).expect("a file");
    let mut writer = pgn::Writer::default();
    let mut length = 0;
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut writer).expect("a part");
        let text = writer.take();
        length += text.len() as u64;
        file.write_all(&text).expect("it is written");
    }
    file.sync_all().expect("it is written");
    length
}

fn to_si4(pgn: &Path, base: &Path) -> u64 {
    let input = File::open(pgn).expect("a file");
    let mut games = Pgn::new(input, pgn::ReadOptions::default());
    let mut writer = scid::Writer::new(Version::Si4);
    let mut builder = Builder::create(Version::Si4, base).expect("a database");
    let mut length = 0;
    while let Some(part) = games.next_part().expect("a part") {
        part.tell(&mut writer).expect("a part");
        let records = writer.take();
        length += records.len() as u64;
        builder.add(&records).expect("there is room");
    }
    builder.finish().expect("it is written");
    length
}
