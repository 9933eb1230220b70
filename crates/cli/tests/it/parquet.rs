//! `tabiya export --parquet`.

use crate::room::{Ran, Room};

const GAMES: &str = "[White \"Tal\"]\n[Result \"1-0\"]\n\n1. e4 c6 2. d4 1-0\n\n\
                     [White \"Broken\"]\n\n1. e4 Ke4 *\n\n[White \"Réti\"]\n\n1. Nf3 *\n";

fn room() -> Room {
    let room = Room::with("games.pgn", GAMES);
    // A game is broken.
    room.run(&["import", "a.tabiya", "games.pgn"]).ends(1);
    room
}

#[cfg(not(feature = "parquet"))]
#[test]
fn whoever_has_no_parquet_is_told_how_to_get_it() {
    let room = room();
    let Ran {
        code, err: errors, ..
    } = room.run(&["export", "a.tabiya", "--parquet", "lake"]);
    assert_eq!(code, 2);
    assert!(errors.contains("--features parquet"), "{errors}");
    assert!(!room.path("lake").exists());
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use super::*;

    #[test]
    fn the_disk_is_said_beforehand_and_the_counts_add_up() {
        let room = room();
        let Ran {
            code, err: errors, ..
        } = room.run(&["export", "a.tabiya", "--parquet", "lake"]);
        // A game is broken.
        assert_eq!(code, 1, "{errors}");
        let disk = errors.find("5 plies need about 1 MB of disk");
        let counts = errors.find("3 games read = 3 written + 0 refused + 0 filtered + 0 deleted");
        assert!(disk.is_some() && disk < counts, "{errors}");
        assert!(room.path("lake/games.parquet").is_file());
        assert!(room.path("lake/positions/part-0000.parquet").is_file());
    }

    #[test]
    fn filters_and_numbers_hold() {
        let room = room();
        for (wanted, counts) in [
            (["--white", "tal"], "1 written + 0 refused + 2 filtered"),
            (["--games", "3"], "1 written + 0 refused + 2 filtered"),
        ] {
            let mut args = vec!["export", "a.tabiya", "--parquet", "lake"];
            args.extend(wanted);
            let Ran {
                code, err: errors, ..
            } = room.run(&args);
            assert_eq!(code, 0, "{errors}");
            assert!(errors.contains(counts), "{errors}");
            assert!(errors.contains("need at most"), "{errors}");
        }
    }

    #[test]
    fn an_earlier_export_is_replaced_and_nothing_else() {
        let room = room();
        let export = ["export", "a.tabiya", "--parquet", "lake", "--games", "1"];
        assert_eq!(room.run(&export).code, 0);
        assert_eq!(room.run(&export).code, 0);
        room.write("lake/mine.txt", "mine");
        let Ran {
            code, err: errors, ..
        } = room.run(&export);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains("lake is a folder"), "{errors}");
        assert!(room.path("lake/mine.txt").exists());
        assert!(room.path("lake/games.parquet").exists());
        let Ran {
            code, err: errors, ..
        } = room.run(&["export", "a.tabiya", "--parquet", "a.tabiya"]);
        assert_eq!(code, 2, "{errors}");
        assert!(room.path("a.tabiya/manifest.json").exists());
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let room = room();
        for more in [
            &["--parquet", "lake", "-o", "b.pgn"][..],
            &["--parquet", "lake", "--to", "csv"],
            &["--parquet", "lake", "--memory", "3"],
            &["--memory", "1G", "-o", "b.pgn"],
            &["--memory", "1G"],
            &["--parquet", "games.pgn"],
            &["--parquet", "-"],
        ] {
            let mut args = vec!["export", "a.tabiya"];
            args.extend(more);
            let Ran {
                code, err: errors, ..
            } = room.run(&args);
            assert_eq!(code, 2, "{more:?}: {errors}");
        }
        assert!(!room.path("lake").exists());
    }

    #[test]
    fn check_looks_at_all_files_of_an_export_and_names_the_damaged_one() {
        let room = room();
        room.run(&["export", "a.tabiya", "--parquet", "lake"])
            .ends(1);
        let Ran { code, out, err, .. } = room.run(&["check", "lake"]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("3 games: nothing wrong"), "{out}");
        let part = room.path("lake/positions/part-0000.parquet");
        let bytes = std::fs::read(&part).unwrap();
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 4;
        std::fs::write(&part, &damaged).unwrap();
        let Ran { code, out, err, .. } = room.run(&["check", "lake"]);
        assert_eq!(code, 1, "{out}{err}");
        let sentence = "lake: error: damaged: positions/part-0000.parquet is not as it was written";
        assert!(out.contains(sentence), "{out}");
        std::fs::remove_file(&part).unwrap();
        let Ran { code, out, err, .. } = room.run(&["check", "lake", "--json"]);
        assert_eq!(code, 1, "{out}{err}");
        assert!(
            out.contains("positions/part-0000.parquet is not there"),
            "{out}"
        );
        let Ran { code, err, .. } = room.run(&["check", "lake", "--repair", "b.pgn"]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("lake is an export"), "{err}");
        // Other inputs are checked as ever.
        std::fs::write(&part, &bytes).unwrap();
        let Ran { code, out, err, .. } = room.run(&["check", "lake", "a.tabiya"]);
        assert_eq!(code, 1, "{out}{err}");
        assert!(out.contains("6 games"), "{out}");
    }
}
