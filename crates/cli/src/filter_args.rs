//! The questions to games that every command which reads games can ask.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use tabiya_game::{Date, EcoSpan, Filter, GameResult, Span, Words};

/// Which games are wanted: all that answer every question.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Filters, of which a game must pass all")]
pub struct FilterArgs {
    /// White's or Black's name has this text
    ///
    /// Case, accents, spaces and the order of words do not count, and an initial may stand for a
    /// name: "Vladimir Kramnik" finds "Kramnik, Vladimir" and "Kramnik,V", "reti" finds "Réti, Richard".
    #[arg(long, value_name = "TEXT")]
    pub player: Option<Words>,

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

    /// Opening codes: B90..B99, their beginning, B9, or several, B90,C42
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub eco: Vec<EcoSpan>,

    /// The result
    #[arg(long, value_name = "RESULT", value_parser = result(), allow_hyphen_values = true)]
    pub result: Option<GameResult>,

    /// Plies of the main line: 40..80, 40.. or ..20
    #[arg(long, value_name = "RANGE")]
    pub plies: Option<Span<u64>>,
}

impl FilterArgs {
    /// The filter that was asked for.
    pub fn filter(&self) -> Filter {
        Filter {
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            since: self.since,
            until: self.until,
            elo: self.elo,
            eco: self.eco.clone(),
            result: self.result,
            plies: self.plies,
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
             --elo 2500.. --eco B9,C42 --result 0-1 --plies ..40",
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
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
