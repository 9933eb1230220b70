//! What is proposed and why, and what is left alone.

use std::{
    fmt::Write,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tabiya::{
    ErrorKind, Filter,
    names::{Kind, Level, Names, Proposals},
};
use tempfile::TempDir;

/// Games in a file, each with tags as they are written here: `White=Tal|WhiteElo=2700`.
struct Games {
    folder: TempDir,
    path: PathBuf,
}

impl Games {
    fn new(games: &[&str]) -> Games {
        let mut text = String::new();
        for game in games {
            for tag in game.split('|') {
                let (name, value) = tag.split_once('=').unwrap();
                writeln!(text, "[{name} \"{value}\"]").unwrap();
            }
            text.push_str("\n1. e4 e5 *\n\n");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, text).unwrap();
        Games { folder, path }
    }

    fn propose(&self, names: &Names) -> Proposals {
        let database = tabiya::open(&self.path).unwrap();
        names.propose(&[database], &Filter::default()).unwrap()
    }

    fn players(&self) -> Proposals {
        self.propose(&Names::new().kinds(&[Kind::Player]))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// Each spelling with what it is replaced by.
fn merges(proposals: &Proposals) -> Vec<(String, String, Level)> {
    let groups = proposals.groups.iter();
    groups
        .flat_map(|group| {
            group
                .spellings
                .iter()
                .map(|it| (it.name.clone(), group.name.clone(), it.level))
        })
        .collect()
}

/// Two players with these names and some rating have a game each against others.
fn two(one: &str, other: &str) -> Proposals {
    two_rated(one, 2600, other, 2600)
}

fn two_rated(one: &str, rating: u16, other: &str, its: u16) -> Proposals {
    let game = |name: &str, rating: u16, opponent: &str, event: &str| {
        format!("Event={event}|White={name}|Black={opponent}|Date=1990.01.01|WhiteElo={rating}")
    };
    Games::new(&[
        &game(one, rating, "Zukertort, Johannes", "Linares"),
        &game(other, its, "Blackburne, Joseph", "Belgrade"),
    ])
    .players()
}

#[test]
fn spellings_of_one_player_are_one() {
    for (kept, other, level) in [
        ("Kasparov, Garry", "KASPAROV, GARRY", Level::Sure),
        ("Kasparov, Garry", "Garry Kasparov", Level::Sure),
        ("Kasparov, Garry", "GM Kasparov, Garry", Level::Sure),
        ("Kasparov, Garry", "Kasparov, Garry (wh)", Level::Sure),
        ("Kasparov, Garry", "Kasparov Garry", Level::Sure),
        ("Kasparov, Garry", "Kasparov,G", Level::Likely),
        ("Réti, Richard", "RETI, RICHARD", Level::Sure),
        ("Korchnoi, Viktor", "Kortschnoj, Wiktor", Level::Sure),
        ("Yusupov, Artur", "Jussupow, Artur", Level::Sure),
        ("Ivanchuk, Vasyl", "Iwantschuk, Wassyl", Level::Sure),
        ("Mueller, Karsten", "Müller, Karsten", Level::Sure),
        ("Hou, Yifan", "Yifan Hou", Level::Sure),
        ("Kasparov, Garry", "Kaspraov, Garry", Level::Likely),
        ("Garcia Martinez, Silvino", "Garcia, Silvino", Level::Likely),
    ] {
        let found = merges(&two(kept, other));
        let names = found
            .iter()
            .map(|(from, to, _)| [from.as_str(), to.as_str()]);
        let mut names: Vec<_> = names.flatten().collect();
        names.sort_unstable();
        let mut expected = [kept, other];
        expected.sort_unstable();
        assert_eq!(names, expected, "{kept} {other}");
        assert!(found[0].2 >= level, "{found:?}");
    }
}

#[test]
fn other_people_stay_others() {
    for (one, other) in [
        ("Polgar, Judit", "Polgar, Zsuzsa"),
        ("Ivanov, Alexander", "Ivanov, Andrey"),
        ("Ivanov, Alexander", "Ivanova, Alexandra"),
        ("Pavlov,S", "Pavlov,S2"),
        ("chess_king", "chessking"),
        ("Karpov, Anatoly", "Kasparov, Anatoly"),
        ("Li, Wei", "Lu, Wei"),
    ] {
        assert!(merges(&two(one, other)).is_empty(), "{one} {other}");
    }
}

#[test]
fn a_beginner_is_no_champion() {
    assert!(merges(&two_rated("Carlsen, Magnus", 2850, "Carlsen,M", 1200)).is_empty());
    assert_eq!(
        merges(&two_rated("Carlsen, Magnus", 2850, "Carlsen,M", 2850)).len(),
        1
    );
}

#[test]
fn who_has_played_the_other_is_not_the_other() {
    let games = Games::new(&["White=Kasparov, Garry|Black=KASPAROV, GARRY|Date=1990.01.01"]);
    let proposals = games.players();
    assert!(merges(&proposals).is_empty());
    assert_eq!(proposals.apart.len(), 1);
    assert_eq!(
        proposals.apart[0].reason,
        "they have played each other, in game 1"
    );
}

#[test]
fn nobody_plays_two_games_in_a_round() {
    let game =
        |white, black| format!("Event=Linares|Round=3|Date=1990.01.01|White={white}|Black={black}");
    let games = Games::new(&[
        &game("Kasparov, Garry", "Karpov, Anatoly"),
        &game("Garry Kasparov", "Short, Nigel"),
    ]);
    assert!(merges(&games.players()).is_empty());
    // The same game twice is another matter.
    let games = Games::new(&[
        &game("Kasparov, Garry", "Karpov, Anatoly"),
        &game("Garry Kasparov", "Anatoly Karpov"),
    ]);
    assert_eq!(merges(&games.players()).len(), 2);
}

#[test]
fn fide_ids_decide() {
    let game = |name, id, opponent| {
        format!("White={name}|WhiteFideId={id}|Black={opponent}|Date=2001.??.??")
    };
    let same = Games::new(&[
        &game("Kosteniuk, Alexandra", 4128125, "A, B"),
        &game("Kostenjuk,A", 4128125, "C, D"),
        &game("Tregubova, A", 4128125, "E, F"),
    ]);
    assert_eq!(merges(&same.players()).len(), 2);
    let other = Games::new(&[
        &game("Wang, Yu", 8600000, "A, B"),
        &game("Yu Wang", 8600001, "C, D"),
    ]);
    let proposals = other.players();
    assert!(merges(&proposals).is_empty());
    assert_eq!(
        proposals.apart[0].reason,
        "their FIDE ids are 8600000 and 8600001"
    );
}

#[test]
fn an_initial_of_two_people_is_neither() {
    let game =
        |name, opponent| format!("White={name}|Black={opponent}|Date=1990.??.??|WhiteElo=2400");
    let games = Games::new(&[
        &game("Ivanov, Alexander", "A, B"),
        &game("Ivanov, Andrey", "C, D"),
        &game("Ivanov,A", "E, F"),
    ]);
    assert!(merges(&games.players()).is_empty());
    let perhaps = games.propose(&Names::new().kinds(&[Kind::Player]).least(Level::Perhaps));
    assert!(
        perhaps
            .groups
            .iter()
            .flat_map(|it| &it.spellings)
            .all(|it| it.level == Level::Perhaps)
    );
}

#[test]
fn the_reason_tells_the_evidence() {
    let game = |white, year| {
        format!("White={white}|Black=Karpov, Anatoly|Date={year}.??.??|WhiteElo=2700|BlackElo=2700")
    };
    let games = Games::new(&[
        &game("Kasparov, Garry", 1985),
        &game("Kasparov, Garry", 1986),
        &game("Kasparov,G", 1986),
    ]);
    let proposals = games.players();
    assert_eq!(proposals.groups[0].known, "2 games from 1985 to 1986");
    let spelling = &proposals.groups[0].spellings[0];
    assert_eq!(
        spelling.reason,
        "likely: the same surname, a given name that is cut short; the same rating in the same year; \
         one opponent in common; 1 game of 1986"
    );
}

#[test]
fn events_and_sites_are_one_where_numbers_agree() {
    let game = |event, site| format!("Event={event}|Site={site}|Date=1998.??.??|White=A|Black=B");
    let games = Games::new(&[
        &game("Linares 1998", "Linares ESP"),
        &game("LINARES 1998", "Linares (ESP)"),
        &game("Linares 1999", "Linares"),
        &game("12th Open", "Hastings ENG"),
        &game("XII Open", "Hastings ENG"),
        &game("Essent", "Hoogeveen NED"),
        &game("Essent", "Hoogevene NED"),
        &game("13th Open", "Köln GER"),
        &game("Bundesliga 97-98", "Koeln GER"),
    ]);
    let mut found = merges(&games.propose(&Names::new().kinds(&[Kind::Event, Kind::Site])));
    found.sort();
    let found: Vec<_> = found
        .iter()
        .map(|(from, to, _)| (from.as_str(), to.as_str()))
        .collect();
    assert_eq!(found.len(), 6, "{found:?}");
    for pair in [("LINARES 1998", "Linares 1998"), ("Linares", "Linares ESP")] {
        assert!(found.contains(&pair), "{found:?}");
    }
    assert!(
        !found
            .iter()
            .any(|(from, to)| from.contains("1999") || to.contains("1999"))
    );
    assert!(
        !found
            .iter()
            .any(|(from, to)| from.contains("13th") || to.contains("13th"))
    );
}

const SPELLING: &str = "\
# Names and spellings, for a test.
@PLAYER
%Prefix \"IM \" \"\"
Korchnoi, Viktor Lvovich  #gm  SUI [2695]  1931.03.23--2016.06.06
%Elo 1990:2600
=Kortschnoi V.
=Kortchnoi, Victor  # French
Byrne, Robert
=Byrne
Byrne, Donald
=Byrne
@SITE
%Suffix \"(Italy)\" \"ITA\"
@EVENT
@ROUND
=ignored
";

#[test]
fn a_spelling_file_is_believed() {
    let games = Games::new(&[
        "White=Kortschnoi,V|Black=Byrne|Site=Rome (Italy)",
        "White=Kortchnoi, Victor|Black=IM Smith, John|Site=Rome ITA",
    ]);
    let path = games.file("spelling.ssp", SPELLING);
    let proposals = games.propose(&Names::new().spelling(&path));
    let found = merges(&proposals);
    let right = "Korchnoi, Viktor Lvovich";
    for (from, to) in [
        ("Kortschnoi,V", right),
        ("Kortchnoi, Victor", right),
        ("IM Smith, John", "Smith, John"),
        ("Rome (Italy)", "Rome ITA"),
    ] {
        let is_there = found
            .iter()
            .any(|(a, b, _)| (a.as_str(), b.as_str()) == (from, to));
        assert!(is_there, "{from}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
    let told = "the spelling file has several right names for it";
    assert!(
        proposals
            .apart
            .iter()
            .any(|it| it.names == ["Byrne"] && it.reason == told)
    );
}

#[test]
fn a_spelling_file_does_not_make_one_of_two_who_have_met() {
    let games = Games::new(&[
        "White=Kortschnoi,V|Black=Kortchnoi, Victor",
        "White=Kortschnoi,V|Black=Tal",
        "White=Tal|Black=Kortchnoi, Victor",
    ]);
    let path = games.file("spelling.ssp", SPELLING);
    let proposals = games.propose(&Names::new().spelling(&path));
    assert!(merges(&proposals).is_empty(), "{:?}", merges(&proposals));
    let names = ["Kortschnoi,V", "Kortchnoi, Victor"];
    assert!(proposals.apart.iter().any(|it| it.names == names));
}

#[test]
fn rules_that_make_names_ever_longer_are_not_followed() {
    let games = Games::new(&["White=Tal|Black=Short"]);
    let path = games.file(
        "a.ssp",
        "@PLAYER\n".to_string() + &"%Infix \"a\" \"aa\"\n".repeat(60),
    );
    let proposals = games.propose(&Names::new().spelling(&path));
    assert!(merges(&proposals).is_empty());
    assert_eq!(proposals.apart[0].names, ["Tal"]);
    let told = "the rules of the spelling file make it too long";
    assert_eq!(proposals.apart[0].reason, told);
    assert_eq!(proposals.apart.len(), 1);
}

#[test]
fn what_is_no_spelling_file_is_refused() {
    let games = Games::new(&["White=A|Black=B"]);
    for (text, what) in [
        ("Kasparov, Garry\n", "line 1 stands before a section"),
        ("", "has no section"),
        (
            "@PLAYER\n=Kasparov\n",
            "line 2 is a wrong name without a right one",
        ),
        (
            "@PLAYER\n%Prefix \"a\n",
            "line 2 has no two texts in quotes",
        ),
    ] {
        let path = games.file("bad.ssp", text);
        let database = tabiya::open(&games.path).unwrap();
        let names = Names::new().spelling(&path);
        let error = names
            .propose(&[database], &Filter::default())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(what) && error.contains("bad.ssp"), "{error}");
    }
    let long = games.file("long.ssp", "@PLAYER\n".to_string() + &"x".repeat(100_000));
    let database = tabiya::open(&games.path).unwrap();
    let names = Names::new().spelling(&long);
    assert!(names.propose(&[database], &Filter::default()).is_err());
}

/// Columns as FIDE has them.
fn fide_table() -> String {
    let row = |id: &str, name: &str, fed: &str, born: &str| {
        format!("{id:<15}{name:<61}{fed:<4}M   {born:<6}\n")
    };
    row("ID Number", "Name", "Fed", "B-day")
        + &row("1503014", "Carlsen, Magnus", "NOR", "1990")
        + &row("2000024", "Smith, John Adam", "USA", "1960")
        + &row("100000001", "Smith, Jane", "USA", "1970")
        + &row("100000002", "Smith, Jane", "ENG", "1980")
        + &row("100000003", "Late, Born", "ENG", "2015")
}

const FIDE_XML: &str = "<?xml version=\"1.0\"?>\n<playerslist><player><fideid>1503014</fideid>\
<name>Carlsen, Magnus</name><country>NOR</country><birthday>1990</birthday></player>\n\
<player>\n<fideid>2000024</fideid>\n<name>Smith, John Adam</name>\n<birthday>1960</birthday>\n</player>\n\
<player><fideid>100000001</fideid><name>Smith, Jane</name></player>\
<player><fideid>100000002</fideid><name>Smith, Jane</name></player>\
<player><fideid>100000003</fideid><name>Late, Born</name><birthday>2015</birthday></player></playerslist>";

#[test]
fn fides_list_is_believed() {
    let games = Games::new(&[
        "White=Carlsen,M|WhiteFideId=1503014|Black=John Adam Smith|Date=2010.??.??",
        "White=Jane Smith|Black=Late, B|BlackFideId=100000003|Date=2010.??.??",
    ]);
    for (name, text) in [
        ("list.txt", fide_table()),
        ("list.xml", FIDE_XML.to_string()),
    ] {
        let path = games.file(name, text);
        let proposals = games.propose(&Names::new().kinds(&[Kind::Player]).fide(&path));
        let found = merges(&proposals);
        let expected = [
            (
                "Carlsen,M".to_string(),
                "Carlsen, Magnus".to_string(),
                Level::Sure,
            ),
            (
                "John Adam Smith".to_string(),
                "Smith, John Adam".to_string(),
                Level::Likely,
            ),
        ];
        assert_eq!(found, expected, "{name}");
        assert!(
            proposals
                .apart
                .iter()
                .any(|it| it.reason.contains("was born in 2015"))
        );
    }
}

#[test]
fn whoever_watches_ends_the_reading_of_a_list() {
    let games = Games::new(&["White=A|Black=B"]);
    let list = games.file("long.txt", fide_table().repeat(5_000));
    // So many times it is asked whether to go on; nobody wants to from one of them on.
    let propose = |names: &Names, last: usize| {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let database = tabiya::open(&games.path).unwrap().watch(move |_| {
            match counted.fetch_add(1, Ordering::Relaxed) < last {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        let proposed = names.propose(&[database], &Filter::default());
        (proposed, asked.load(Ordering::Relaxed))
    };
    let names = Names::new();
    let (proposed, without_list) = propose(&names, usize::MAX);
    assert!(proposed.is_ok());
    let names = names.fide(&list);
    let (proposed, with_list) = propose(&names, usize::MAX);
    assert!(proposed.is_ok() && with_list >= without_list + 3);
    // All but the questions before names are compared come earlier.
    for last in without_list - Kind::ALL.len()..with_list {
        let (proposed, asked) = propose(&names, last);
        assert_eq!(proposed.err().unwrap().kind(), ErrorKind::Cancelled);
        assert_eq!(asked, last + 1);
    }
}

#[test]
fn what_is_no_list_of_fides_is_refused() {
    let games = Games::new(&["White=A|Black=B"]);
    for text in ["", "something\n", "<html></html>", "Name ID Fed\n"] {
        let path = games.file("bad.txt", text);
        let database = tabiya::open(&games.path).unwrap();
        let names = Names::new().fide(&path);
        assert!(
            names.propose(&[database], &Filter::default()).is_err(),
            "{text}"
        );
    }
}

/// All that a database tells.
fn signature(path: &Path) -> u64 {
    let mut signature = tabiya_formats::signature::Signature::default();
    tabiya::open(path).unwrap().tell(&mut signature).unwrap();
    signature.value()
}

#[test]
fn a_plan_is_applied_and_undone_event_for_event() {
    let games = Games::new(&[
        "Event=Linares|White=Kasparov, Garry|Black=Karpov, Anatoly|Date=1990.??.??",
        "Event=LINARES|White=Anatoly Karpov|Black=Garry Kasparov|Date=1991.??.??|Round=1",
        "Event=Linares|White=Short, Nigel|Black=KASPAROV, GARRY|Date=1992.??.??",
    ]);
    let store = games.folder.path().join("games.tabiya");
    tabiya::convert(&games.path, &store).run().unwrap();
    let before = signature(&store);
    let propose = || {
        let database = tabiya::open(&store).unwrap();
        Names::new()
            .propose(&[database], &Filter::default())
            .unwrap()
    };
    let plan = propose().plan().unwrap();
    assert_eq!(plan.steps.len(), 4);
    let applied = plan.apply().unwrap();
    assert_eq!((applied.databases, applied.edited), (1, 2));
    let game = tabiya::open(&store).unwrap().get(2).unwrap();
    assert_eq!(game.tags.white(), Some("Karpov, Anatoly"));
    assert_eq!(game.tags.black(), Some("Kasparov, Garry"));
    assert_eq!(game.tags.event(), Some("Linares"));
    // Nothing is left to propose.
    assert!(propose().groups.is_empty());
    plan.undo().unwrap();
    assert_eq!(signature(&store), before);
}

#[test]
fn threads_do_not_change_what_is_proposed() {
    let game = |at: usize| {
        let name = [
            "Kasparov, Garry",
            "Garry Kasparov",
            "Karpov, Anatoly",
            "KARPOV, Anatoly",
        ][at % 4];
        format!(
            "White={name}|Black=Player{at}, Some|Date={}.??.??",
            1980 + at % 20
        )
    };
    let games: Vec<String> = (0..2000).map(game).collect();
    let games = Games::new(&games.iter().map(String::as_str).collect::<Vec<_>>());
    let plans = [1, 4].map(|jobs| {
        let jobs = std::num::NonZeroUsize::new(jobs).unwrap();
        let database = tabiya::Open::new().jobs(jobs).open(&games.path).unwrap();
        Names::new()
            .propose(&[database], &Filter::default())
            .unwrap()
            .plan()
            .unwrap()
    });
    assert_eq!(plans[0], plans[1]);
    assert!(!plans[0].steps.is_empty());
}

#[test]
fn a_database_that_is_there_twice_is_refused() {
    let games = Games::new(&["White=Tal|Black=Keres"]);
    let databases = [0, 1].map(|_| tabiya::open(&games.path).unwrap());
    let refused = Names::new().propose(&databases, &Filter::default());
    assert_eq!(refused.err().unwrap().kind(), ErrorKind::WrongPlace);
}

#[test]
fn two_whom_an_authority_tells_apart_stay_two() {
    let games = Games::new(&[
        "White=Petrov, Aleksandr|Black=Black, A|Date=2010.??.??|WhiteElo=2400",
        "White=Petrov, Alexander|Black=Black, A|Date=2011.??.??|WhiteElo=2400",
    ]);
    assert_eq!(merges(&games.players()).len(), 1, "without an authority");
    let list = "<playerslist><player><fideid>1</fideid><name>Petrov, Aleksandr</name></player>\
        <player><fideid>2</fideid><name>Petrov, Alexander</name></player></playerslist>";
    let list = games.file("list.xml", list);
    let names = Names::new().kinds(&[Kind::Player]);
    let proposals = games.propose(&names.clone().fide(&list));
    assert!(merges(&proposals).is_empty());
    let told = proposals.apart.iter().map(|apart| apart.reason.as_str());
    assert!(told.eq(["their FIDE ids are 1 and 2"]));
    let spelling = "@PLAYER\nPetrov, Aleksandr\nPetrov, Alexander\n";
    let spelling = games.file("names.ssp", spelling);
    let proposals = games.propose(&names.spelling(&spelling));
    assert!(merges(&proposals).is_empty());
}

#[test]
fn a_wrong_name_behind_a_prefix_is_found() {
    let games = Games::new(&["White=IM Kortschnoi|Black=Black, A|Date=1970.??.??"]);
    let spelling = "@PLAYER\nKorchnoi, Viktor\n=Kortschnoi\n%Prefix \"IM \" \"\"\n";
    let path = games.file("names.ssp", spelling);
    let found = merges(&games.propose(&Names::new().spelling(&path)));
    let right = "Korchnoi, Viktor".to_owned();
    assert_eq!(found, [("IM Kortschnoi".to_owned(), right, Level::Sure)]);
}

#[test]
fn of_two_tags_of_a_name_the_first_counts_even_if_it_says_nothing() {
    let games = Games::new(&[
        "White=?|White=Garry Kasparov|Black=Black, A|Date=1985.??.??",
        "White=Kasparov, Garry|Black=Black, B|Date=1985.??.??",
        "White=Garry Kasparov|Black=Black, C|Date=1985.??.??",
    ]);
    let path = games.folder.path().join("games.tabiya");
    tabiya::convert(&games.path, &path).run().unwrap();
    let database = tabiya::open(&path).unwrap();
    let names = Names::new().kinds(&[Kind::Player]);
    let plan = names
        .propose(&[database], &Filter::default())
        .unwrap()
        .plan();
    let plan = plan.unwrap();
    let games: Vec<_> = plan.steps.iter().map(|it| it.games.to_string()).collect();
    assert_eq!(games, ["3"]);
    plan.apply().unwrap();
}
