//! Tables that are questions to others.

use datafusion::{common::utils::quote_identifier, prelude::SessionContext};

use crate::Error;

/// Everybody who has played, by name. Points are of games that `score` counts, too.
const PLAYERS: &str = "
SELECT name,
       count(*) AS games,
       sum(white) AS as_white,
       sum(1 - white) AS as_black,
       sum(points) AS points,
       min(date) / 10000 AS first_year,
       max(date) / 10000 AS last_year,
       max(nullif(rating, 0)) AS rating_max,
       max(nullif(fide_id, 0)) AS fide_id
FROM (
    SELECT white AS name, 1 AS white, white_rating AS rating, white_fide_id AS fide_id,
           CASE WHEN date >= 10000 THEN date END AS date,
           CASE result WHEN '1-0' THEN 1.0 WHEN '+:-' THEN 1.0 WHEN '1/2-1/2' THEN 0.5
                       WHEN '0-1' THEN 0.0 WHEN '-:+' THEN 0.0 END AS points
    FROM {schema}.games WHERE white NOT IN ('', '?')
    UNION ALL
    SELECT black AS name, 0 AS white, black_rating AS rating, black_fide_id AS fide_id,
           CASE WHEN date >= 10000 THEN date END AS date,
           CASE result WHEN '0-1' THEN 1.0 WHEN '-:+' THEN 1.0 WHEN '1/2-1/2' THEN 0.5
                       WHEN '1-0' THEN 0.0 WHEN '+:-' THEN 0.0 END AS points
    FROM {schema}.games WHERE black NOT IN ('', '?')
) GROUP BY name";

/// All events, by name and site.
const EVENTS: &str = "
SELECT event AS name,
       site,
       count(*) AS games,
       min(CASE WHEN date >= 10000 THEN date END) AS first_date,
       max(CASE WHEN date >= 10000 THEN date END) AS last_date,
       (coalesce(sum(nullif(white_rating, 0)), 0) + coalesce(sum(nullif(black_rating, 0)), 0))
           / cast(nullif(count(nullif(white_rating, 0)) + count(nullif(black_rating, 0)), 0) AS double)
           AS rating_mean
FROM {schema}.games WHERE event NOT IN ('', '?')
GROUP BY event, site";

/// Creates the views of a schema over its table `games`.
pub(super) async fn create(context: &SessionContext, schema: &str) -> Result<(), Error> {
    let schema = quote_identifier(schema);
    for (name, query) in [("players", PLAYERS), ("events", EVENTS)] {
        let query = query.replace("{schema}", &schema);
        let sql = format!("CREATE VIEW {schema}.{name} AS {query}");
        context.sql(&sql).await?;
    }
    Ok(())
}
