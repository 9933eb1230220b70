//! The questions to games that every command which reads games can ask.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use tabiya_game::{Date, EcoSpan, Filter, GameResult, Span, TimeControl, Words};

/// Which games are wanted: all that answer every question.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Filters, of which a game must pass all")]
pub struct FilterArgs {
    /// White's or Black's name has this text
    ///
    /// Case, accents, spaces and the order of words do not count, and an initial may stand for a
    /// name: "Vladimir Kramnik" finds "Kramnik, Vladimir" and "Kramnik,V", "reti" finds "Réti, Richard".
    /// With quotation marks of its own, a name is that one and no other: '"Kramnik,V"'.
    #[arg(long, value_name = "TEXT")]
    pub player: Option<Words>,

    /// The other player's name has this text, whoever has White
    #[arg(long, value_name = "TEXT", requires = "player")]
    pub versus: Option<Words>,

    /// White's name has this text
    #[arg(long, value_name = "TEXT")]
    pub white: Option<Words>,

    /// Black's name has this text
    #[arg(long, value_name = "TEXT")]
    pub black: Option<Words>,

    /// The event has this text
    #[arg(long, value_name = "TEXT")]
    pub event: Option<Words>,

    /// The site has this text
    #[arg(long, value_name = "TEXT")]
    pub site: Option<Words>,

    /// Played on this day or later: 2024, 2024-05 or 2024-05-31
    ///
    /// A game of which only the year is known may lie in a range; one of which nothing is known does not.
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub since: Option<Date>,

    /// Played on this day or before
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub until: Option<Date>,

    /// A rating of either player: 2500..2700, 2500.. or ..2400
    #[arg(long, value_name = "RANGE")]
    pub elo: Option<Span<u16>>,

    /// White's rating less Black's: 200.., -50..50 or ..-100
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub elo_diff: Option<Span<i32>>,

    /// The mean of both ratings: 2600..
    #[arg(long, value_name = "RANGE")]
    pub elo_mean: Option<Span<u16>>,

    /// A title of either player, or several: GM or WGM,WIM
    #[arg(long, value_name = "TITLES", value_delimiter = ',', value_parser = title)]
    pub title: Vec<String>,

    /// The FIDE id of either player
    #[arg(long, value_name = "ID")]
    pub fide_id: Option<u32>,

    /// bullet, blitz, rapid, classical, correspondence, or seconds as PGN has them: 300+5
    ///
    /// A class is told from the seconds for 40 moves, increments included: less than 180 are bullet,
    /// less than 480 blitz, less than 1500 rapid, less than a day classical.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub time_control: Option<TimeControl>,

    /// Opening codes: B90..B99, their beginning, B9, or several, B90,C42
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub eco: Vec<EcoSpan>,

    /// The result
    #[arg(long, value_name = "RESULT", value_parser = result(), allow_hyphen_values = true)]
    pub result: Option<GameResult>,

    /// The number of the Chess960 start, 0 to 959; 518 is the usual one
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(0..960))]
    pub chess960: Option<u16>,

    /// Plies of the main line: 40..80, 40.. or ..20
    #[arg(long, value_name = "RANGE")]
    pub plies: Option<Span<u64>>,

    /// A comment has this text, in variations too
    #[arg(long, value_name = "TEXT")]
    pub comment: Option<Words>,
}

impl FilterArgs {
    /// The filter that was asked for.
    pub fn filter(&self) -> Filter {
        Filter {
            player: self.player.clone(),
            versus: self.versus.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            since: self.since,
            until: self.until,
            elo: self.elo,
            elo_difference: self.elo_diff,
            elo_mean: self.elo_mean,
            titles: self.title.clone(),
            fide_id: self.fide_id,
            time_control: self.time_control.clone(),
            eco: self.eco.clone(),
            result: self.result,
            chess960: self.chess960,
            plies: self.plies,
            comment: self.comment.clone(),
        }
    }
}

/// A date of which at least the year is known: anything else would let all games through.
fn date(text: &str) -> Result<Date, String> {
    match text.parse::<Date>() {
        Ok(date) if date.year.is_some() => Ok(date),
        _ => Err("expected YYYY, YYYY-MM or YYYY-MM-DD".to_string()),
    }
}

/// A title that somebody can have: without letters, it would be that of nobody.
fn title(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("expected a title such as GM".to_string()),
        title => Ok(title.to_string()),
    }
}

fn result() -> impl TypedValueParser<Value = GameResult> {
    PossibleValuesParser::new(["1-0", "0-1", "1/2-1/2", "*"])
        .try_map(|token| token.parse::<GameResult>())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        filter: FilterArgs,
    }

    fn parse(line: &str) -> Result<Filter, clap::Error> {
        let words = std::iter::once("tabiya").chain(line.split_whitespace());
        Command::try_parse_from(words).map(|command| command.filter.filter())
    }

    #[test]
    fn every_option_asks_its_question() {
        let filter = parse(
            "--player a --white b --black c --event d --site e --since 2020 --until 2021-05 \
             --elo 2500.. --eco B9,C42 --result 0-1 --plies ..40 --versus f --elo-diff -9..9 \
             --elo-mean 2600.. --title gm,IM --fide-id 7 --time-control blitz --chess960 0 --comment g",
        );
        let expected = Filter {
            player: Some("a".into()),
            white: Some("b".into()),
            black: Some("c".into()),
            event: Some("d".into()),
            site: Some("e".into()),
            since: "2020".parse().ok(),
            until: "2021.05".parse().ok(),
            elo: "2500..".parse().ok(),
            eco: vec!["B9".parse().unwrap(), "C42".parse().unwrap()],
            result: Some(GameResult::BlackWins),
            plies: "..40".parse().ok(),
            versus: Some("f".into()),
            elo_difference: "-9..9".parse().ok(),
            elo_mean: "2600..".parse().ok(),
            titles: vec!["gm".to_string(), "IM".to_string()],
            fide_id: Some(7),
            time_control: "blitz".parse().ok(),
            chess960: Some(0),
            comment: Some("g".into()),
        };
        assert_eq!(filter.expect("a command line"), expected);
        assert!(parse("").expect("a command line").is_empty());
    }

    #[test]
    fn wrong_values_are_refused() {
        for line in [
            "--since ??",
            "--until soon",
            "--elo 2700..2500",
            "--eco Z",
            "--eco B90,",
            "--result 2-0",
            "--versus tal",
            "--elo-diff 9..-9",
            "--title GM,",
            "--fide-id x",
            "--time-control soon",
            "--chess960 960",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
