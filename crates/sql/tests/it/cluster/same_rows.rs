//! Questions, each asked of a cluster and of a session of this process.

use std::path::Path;

use tabiya_sql::{Options, Session};

use crate::data;

use super::{
    ask::{local, rows},
    lake::{lake, small_lake, write},
    process::{Cluster, Setting},
};

const QUESTIONS: [&str; 41] = [
    // Counts.
    "select count(*) from games",
    "select result, count(*) from games group by result",
    "select count(distinct key) from positions",
    "select min(ply_count), max(ply_count), sum(ply_count), avg(ply_count) from games",
    // Who plays most, and how well.
    "select white, count(*) as games from games group by white order by games desc, white limit 10",
    "select white, avg(case result when '1-0' then 1 when '0-1' then 0 else 0.5 end) as score
     from games group by white having count(*) > 3 order by score desc, white limit 10",
    "select result, round(avg(white_rating - black_rating), 3) from games group by result",
    "select floor(white_rating / 100) as class, count(*) from games group by class",
    // What is played in the start position, and with what success.
    "select san, count(*) from positions where key = 5060803636482931868 group by san",
    "select san, result, count(*) from positions join games on game = id
     where key = 5060803636482931868 group by san, result order by san, result",
    // The moves of games, and the positions that most games have.
    "select id, main_line from games order by ply_count desc, id limit 5 offset 7",
    "select key, count(distinct game) as games from positions group by key
     order by games desc, key limit 10",
    "select split_part(main_line, ' ', 1) as first, count(*) from games group by first",
    "select ply, count(*) from positions where san like 'N%' group by ply",
    // Subqueries, unions, windows.
    "select count(*) from games where ply_count > (select avg(ply_count) from games)",
    "select count(*) from games where white in (select black from games where result = '0-1')",
    "select count(*) from games where id not in (select game from positions where san = 'e4')",
    "select name, count(*) as games from
     (select white as name from games union all select black as name from games)
     group by name order by games desc, name limit 10",
    "select * from (select id, result, ply_count,
       row_number() over (partition by result order by ply_count desc, id) as place from games)
     where place <= 3 order by result, place",
    "with openings as (select game, string_agg(san, ' ' order by ply) as line from positions
       where ply <= 4 group by game)
     select line, count(*) as games from openings group by line order by games desc, line limit 10",
    // Limits of answers that are in the order by which inputs are joined.
    "select id from games where id in (select game from positions where san = 'Bb5') order by id limit 5",
    "select id from games where exists (select 1 from positions where game = id and san = 'c5')
     order by id limit 5",
    "select id from games where id not in (select game from positions where san = 'd4')
     order by id limit 5",
    "select id from games where not exists (select 1 from positions where game = id and san = 'c5')
     order by id desc limit 5",
    "select distinct id from games join positions on game = id where san = 'd4' order by 1 limit 5",
    "select id from games except select game from positions where san = 'Nc6' order by 1 limit 5",
    "select id from games intersect select game from positions where san = 'Nc6' order by 1 limit 5",
    "select id, san from games left join positions on game = id and san = 'd4' order by id limit 5",
    "select count(*) from (select distinct id from games join positions on game = id where san = 'd4'
     limit 3)",
    "select g.id, n from games g join (select game, count(*) as n from positions group by game
     order by game limit 20) on g.id = game where g.ply_count > 5 order by g.id limit 5",
    // What is defined over games.
    "select * from players order by games desc, name limit 20",
    "select * from events order by games desc, name, site limit 20",
    // What chess adds to SQL.
    "select count(*) from games
     where reaches(moves, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1')",
    "select ply_of(moves, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1') as ply,
       count(*) from games group by ply",
    "select count(*) from games where matches(moves, 'check')",
    "select fen_after(moves, 6) as fen, count(*) as games from games group by fen
     order by games desc, fen limit 10",
    "select material(moves, ply_count) as material, count(*) as games from games group by material
     order by games desc, material limit 10",
    "select san_line(moves, 4) as line, count(*) as games, score(result) as score from games
     group by line order by games desc, line limit 10",
    "select eco(moves) as code, opening(moves) as name, count(*) as games from games
     group by code, name order by games desc, code, name limit 10",
    "select white, count(*) as games, performance(result, black_rating) as performance from games
     group by white order by games desc, white limit 10",
    "select fen_side(fen) as side, fen_piece(fen, 'e4') as piece, count(*) from
     (select fen_after(moves, 5) as fen from games) group by side, piece",
];

#[tokio::test(flavor = "multi_thread")]
async fn all_questions_have_the_answers_of_one_session() {
    let lake = small_lake();
    let local = local(lake).await;
    let cluster = Cluster::start(2);
    let remote = cluster.session(lake).await;
    for sql in QUESTIONS {
        let expected = rows(&local, sql).await.expect(sql);
        let answer = rows(&remote, sql).await.expect(sql);
        assert!(expected.len() > 4, "{sql}: no rows");
        assert_eq!(answer, expected, "{sql}");
    }
    for executor in &cluster.executors {
        assert!(executor.log().contains("Finished task"), "an idle executor");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_rows_has_its_columns() {
    let cluster = Cluster::start(1);
    let session = Session::over(cluster.session(small_lake()).await, &Options::default());
    for condition in ["false", "id < 0"] {
        let sql = format!("select id, white from games where {condition}");
        let answer = session.query(&sql).await.expect("a plan");
        let schema = answer.schema();
        let names: Vec<&str> = schema
            .fields()
            .iter()
            .map(|it| it.name().as_str())
            .collect();
        assert_eq!(names, ["id", "white"], "{condition}");
        let rows = answer.collect().await.expect("an answer");
        assert_eq!(rows.iter().map(|batch| batch.num_rows()).sum::<usize>(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_come_through_the_scheduler_too() {
    let lake = lake();
    let setting = Setting {
        scheduler: &["--relay"],
        ..Setting::default()
    };
    let mut cluster = Cluster::start_with(1, setting);
    let session = cluster.session(lake).await;
    let sql = "select id, white, black from games order by id limit 100000";
    let answer = rows(&session, sql).await.expect("an answer");
    assert_eq!(
        answer,
        rows(&local(lake).await, sql).await.expect("an answer")
    );
    // Only the scheduler was asked: without it there is nothing.
    cluster.scheduler.kill();
    rows(&session, sql).await.expect_err("nobody to ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_into_memory_goes_to_the_disk() {
    let lake = lake();
    let setting = Setting {
        executor: &["--memory", "16M"],
        ..Setting::default()
    };
    let cluster = Cluster::start_with(1, setting);
    let session = cluster.session(lake).await;
    // Some 50 MB to be sorted.
    let sql = "select sum(place * ply) from (select ply, \
               row_number() over (order by uci, san, game, ply) as place from positions)";
    let answer = rows(&session, sql).await.expect("an answer");
    assert_eq!(
        answer,
        rows(&local(lake).await, sql).await.expect("an answer")
    );
    let explained = rows(&session, &format!("explain analyze {sql}")).await;
    let explained = explained.expect("a plan").join("\n");
    let mut spilled = explained.split("spill_count=").skip(1);
    assert!(spilled.any(|count| !count.starts_with('0')), "{explained}");
}

/// Leaves the export where it is, for `cargo bench --bench cluster`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "reads real games"]
async fn real_games_have_the_answers_of_one_session() {
    let Some(games) = data::find("pgn/twic-small.pgn.zst") else {
        return;
    };
    let lake = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster-twic-small");
    let games = tabiya::open(games).expect("a file");
    write(&lake, games.games().map(|game| game.expect("a game")));
    let (local, cluster) = (local(&lake).await, Cluster::start(2));
    let remote = cluster.session(&lake).await;
    for sql in QUESTIONS {
        let expected = rows(&local, sql).await.expect(sql);
        assert_eq!(rows(&remote, sql).await.expect(sql), expected, "{sql}");
    }
}
