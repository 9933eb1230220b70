//! What games say about a repertoire, as tables or JSON.

use std::{
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use tabiya::{
    Position,
    repertoire::{Followed, Gap, Repertoire, Slip, Summary},
    tree::Tally,
};
use tabiya_chess::{Color, Move};

use super::{Args, Format};
use crate::{commands::list::row::Row, output::Output, text::pad};

/// Adds up games, and keeps those that are listed.
pub struct Report<'r> {
    repertoire: &'r Repertoire,
    side: Color,
    summary: Summary<'r>,
    /// How many are asked for.
    wanted: u64,
    /// The first of them, if they are listed.
    games: Option<Vec<Game>>,
    limit: usize,
}

/// A game for programs.
#[derive(Serialize)]
struct Game {
    /// Its number in its file.
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    white: String,
    black: String,
    result: String,
    date: String,
    /// For how many plies it follows the repertoire.
    plies: u32,
    left_by: &'static str,
    /// The last position that is in the repertoire.
    fen: String,
    played: Option<String>,
    /// What the repertoire has there.
    expected: Vec<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    repertoire: About,
    total: u64,
    found: u64,
    follow: Score,
    mean_plies: Option<f64>,
    to_the_end: u64,
    ended: u64,
    left_by_me: u64,
    left_by_opponent: u64,
    elsewhere: u64,
    gaps: Vec<JsonGap>,
    departures: Vec<JsonSlip>,
    games: &'a [Game],
}

#[derive(Serialize)]
struct About {
    file: String,
    side: String,
    positions: usize,
    lines: usize,
}

/// Results from the side of the repertoire.
#[derive(Serialize)]
struct Score {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    percent: Option<f64>,
}

#[derive(Serialize)]
struct JsonGap {
    line: String,
    fen: String,
    in_repertoire: bool,
    #[serde(flatten)]
    score: Score,
}

#[derive(Serialize)]
struct JsonSlip {
    line: String,
    fen: String,
    played: String,
    expected: Vec<String>,
    #[serde(flatten)]
    score: Score,
}

impl<'r> Report<'r> {
    pub fn new(args: &Args, repertoire: &'r Repertoire, side: Color) -> Report<'r> {
        Report {
            repertoire,
            side,
            summary: Summary::new(repertoire, side),
            wanted: 0,
            games: (args.format == Some(Format::Json)).then(Vec::new),
            limit: args.limit().unwrap_or(usize::MAX),
        }
    }

    /// How many games were asked for.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// Takes a game, of a file if there are several.
    pub fn take(&mut self, file: Option<&Path>, game: &Followed, is_wanted: bool) {
        self.summary.add(game);
        self.wanted += u64::from(is_wanted);
        if let Some(games) = &mut self.games
            && is_wanted
            && games.len() < self.limit
        {
            games.push(Game::of(file, game, self.repertoire));
        }
    }

    /// Prints what so many games say.
    pub fn print(&self, args: &Args, path: &Path, total: u64) -> anyhow::Result<()> {
        let mut output = Output::open(args.output.as_deref(), &["txt", "json"])?;
        match &self.games {
            Some(games) => {
                serde_json::to_writer_pretty(&mut output, &self.document(path, total, games))?;
                writeln!(output)?;
            }
            None => self.table(&mut output, path, total)?,
        }
        output.finish()
    }

    /// Games that have no position of the repertoire.
    fn elsewhere(&self, total: u64) -> u64 {
        let Summary {
            to_the_end,
            ended,
            left_by_me,
            left_by_opponent,
            ..
        } = self.summary;
        total.saturating_sub(to_the_end + ended + left_by_me + left_by_opponent)
    }

    fn table(&self, output: &mut Output, path: &Path, total: u64) -> io::Result<()> {
        let summary = &self.summary;
        let (positions, lines) = (self.repertoire.positions(), self.repertoire.lines());
        writeln!(
            output,
            "repertoire  {}, for {}: {positions} positions, {lines} lines",
            path.display(),
            self.side
        )?;
        let follow = Score::of(&summary.follow, self.side);
        let mut words = format!("{} of {total} follow it", follow.games);
        if let Some(mean) = summary.mean_plies() {
            words.push_str(&format!(", for {mean:.1} plies on average"));
        }
        if let Some(percent) = follow.percent {
            words.push_str(&format!(", and score {percent:.1} %"));
        }
        writeln!(output, "games       {words}\n")?;
        let counts = [
            (summary.to_the_end, "to the end of a line"),
            (summary.ended, "ended within it"),
            (summary.left_by_opponent, "left by the opponent"),
            (summary.left_by_me, "left by its own side"),
            (self.elsewhere(total), "never in it"),
        ];
        for (count, what) in counts {
            writeln!(output, "{count:>9}  {what}")?;
        }
        self.gaps(output)?;
        self.slips(output)
    }

    fn gaps(&self, output: &mut Output) -> io::Result<()> {
        let gaps = self.summary.gaps();
        if gaps.is_empty() {
            return Ok(());
        }
        writeln!(output, "\nMoves of the opponent without an answer")?;
        writeln!(output, "    games   score  line")?;
        for gap in gaps.iter().take(self.limit) {
            let known = match gap.is_known {
                true => "  (in the repertoire)",
                false => "",
            };
            let score = Score::of(&gap.games, self.side).text();
            writeln!(output, "{score}  {}{known}", gap.line)?;
        }
        self.rest(output, gaps.len())
    }

    fn slips(&self, output: &mut Output) -> io::Result<()> {
        let slips = self.summary.slips();
        if slips.is_empty() {
            return Ok(());
        }
        writeln!(output, "\nWhere its own side played something else")?;
        writeln!(output, "    games   score  played    expected      line")?;
        for slip in slips.iter().take(self.limit) {
            let score = Score::of(&slip.games, self.side).text();
            let line = match slip.line.as_str() {
                "" => "the first move",
                line => line,
            };
            let (played, expected) = (pad(&slip.played, 8), pad(&slip.expected.join(" "), 12));
            writeln!(output, "{score}  {played}  {expected}  {line}")?;
        }
        self.rest(output, slips.len())
    }

    /// Says how many are not shown.
    fn rest(&self, output: &mut Output, count: usize) -> io::Result<()> {
        match count.saturating_sub(self.limit) {
            0 => Ok(()),
            more => writeln!(
                output,
                "{more} more: --limit N shows others, --all shows all"
            ),
        }
    }

    fn document<'a>(&self, path: &Path, total: u64, games: &'a [Game]) -> Document<'a> {
        let summary = &self.summary;
        let gap = |gap: Gap| JsonGap {
            line: gap.line,
            fen: gap.position.to_string(),
            in_repertoire: gap.is_known,
            score: Score::of(&gap.games, self.side),
        };
        let slip = |slip: Slip| JsonSlip {
            line: slip.line,
            fen: slip.position.to_string(),
            played: slip.played,
            expected: slip.expected,
            score: Score::of(&slip.games, self.side),
        };
        Document {
            repertoire: About {
                file: path.display().to_string(),
                side: self.side.to_string().to_lowercase(),
                positions: self.repertoire.positions(),
                lines: self.repertoire.lines(),
            },
            total,
            found: self.wanted,
            follow: Score::of(&summary.follow, self.side),
            mean_plies: summary.mean_plies(),
            to_the_end: summary.to_the_end,
            ended: summary.ended,
            left_by_me: summary.left_by_me,
            left_by_opponent: summary.left_by_opponent,
            elsewhere: self.elsewhere(total),
            gaps: summary.gaps().into_iter().map(gap).collect(),
            departures: summary.slips().into_iter().map(slip).collect(),
            games,
        }
    }
}

impl Game {
    fn of(file: Option<&Path>, game: &Followed, repertoire: &Repertoire) -> Game {
        let row = Row::of(&game.tags, game.result);
        let san = |play: &Move| san(&game.position, *play);
        let expected = repertoire.moves(&game.position).unwrap_or_default();
        Game {
            id: game.number,
            file: file.map(|path| path.display().to_string()),
            white: row.white,
            black: row.black,
            result: row.result,
            date: row.date,
            plies: game.plies,
            left_by: game.ending.name(),
            fen: game.position.to_string(),
            played: game.played.as_ref().map(san),
            expected: expected.iter().map(san).collect(),
        }
    }
}

fn san(position: &Position, play: Move) -> String {
    position.san(play).to_string()
}

impl Score {
    fn of(tally: &Tally, side: Color) -> Score {
        let (wins, losses, share) = match side {
            Color::White => (tally.white, tally.black, tally.score()),
            Color::Black => (tally.black, tally.white, tally.score().map(|it| 1.0 - it)),
        };
        Score {
            games: tally.games(),
            wins,
            draws: tally.draws,
            losses,
            percent: share.map(|share| (share * 1000.0).round() / 10.0),
        }
    }

    /// In two columns.
    fn text(&self) -> String {
        let percent = self
            .percent
            .map_or_else(String::new, |it| format!("{it:.0} %"));
        format!("{:>9} {percent:>7}", self.games)
    }
}
