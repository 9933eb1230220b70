//! How the server does: a line for each request, `/healthz`, and `/metrics` for Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::app::Shared;

/// What has been answered so far.
#[derive(Default)]
pub struct Metrics {
    /// By route and status.
    answered: Mutex<BTreeMap<(String, u16), u64>>,
    /// By route.
    times: Mutex<BTreeMap<String, Times>>,
    /// How many connections are open.
    pub connections: AtomicUsize,
}

/// How long answers took.
#[derive(Clone, Default)]
struct Times {
    /// How many took no longer than each of the bounds.
    within: [u64; BOUNDS.len()],
    count: u64,
    sum: Duration,
}

/// In seconds.
const BOUNDS: [f64; 9] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

impl Metrics {
    fn note(&self, route: &str, status: StatusCode, took: Duration) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        *answered
            .entry((route.to_owned(), status.as_u16()))
            .or_default() += 1;
        drop(answered);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(route.to_owned()).or_default();
        times.count += 1;
        times.sum += took;
        for (within, bound) in times.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(took.as_secs_f64() <= bound);
        }
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let answered = self
            .answered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let times = self
            .times
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        writeln!(
            out,
            "# HELP tabiya_requests_total Requests that were answered."
        )?;
        writeln!(out, "# TYPE tabiya_requests_total counter")?;
        for ((route, status), count) in answered {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            writeln!(out, "tabiya_requests_total{{{labels}}} {count}")?;
        }
        writeln!(
            out,
            "# HELP tabiya_request_seconds How long answers took to begin."
        )?;
        writeln!(out, "# TYPE tabiya_request_seconds histogram")?;
        for (route, times) in times {
            for (bound, within) in BOUNDS.into_iter().zip(times.within) {
                let labels = format!("route=\"{route}\",le=\"{bound}\"");
                writeln!(out, "tabiya_request_seconds_bucket{{{labels}}} {within}")?;
            }
            let labels = format!("route=\"{route}\"");
            let Times { count, sum, .. } = times;
            writeln!(
                out,
                "tabiya_request_seconds_bucket{{{labels},le=\"+Inf\"}} {count}"
            )?;
            writeln!(
                out,
                "tabiya_request_seconds_sum{{{labels}}} {}",
                sum.as_secs_f64()
            )?;
            writeln!(out, "tabiya_request_seconds_count{{{labels}}} {count}")?;
        }
        Ok(())
    }
}

/// Times a request, counts it, and logs it.
pub async fn note(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>();
    // Paths that nobody answers are one: else whoever asks for many would fill the memory.
    let route = route.map_or_else(|| "other".to_owned(), |route| route.as_str().to_owned());
    let line = app.options.log.as_ref().map(|_| {
        let uri = without_token(request.uri());
        format!("{} {uri}", request.method())
    });
    let response = next.run(request).await;
    let took = start.elapsed();
    app.metrics.note(&route, response.status(), took);
    if let (Some(log), Some(line)) = (&app.options.log, line) {
        let status = response.status().as_u16();
        log(&format!(
            "{status} {:.1} ms {line}",
            took.as_secs_f64() * 1_000.0
        ));
    }
    response
}

/// An address without what nobody else shall read.
fn without_token(uri: &Uri) -> String {
    let Some(query) = uri.query() else {
        return uri.path().to_owned();
    };
    let plain = |part: &&str| {
        let name = part.split('=').next().unwrap_or_default();
        // Names are read with their escapes, so that none of those is told either.
        name != "token" && !name.contains(['%', '+'])
    };
    let told: Vec<&str> = query.split('&').filter(plain).collect();
    match told.is_empty() {
        true => uri.path().to_owned(),
        false => format!("{}?{}", uri.path(), told.join("&")),
    }
}

/// The server is there.
pub async fn health() -> &'static str {
    "ok\n"
}

/// All figures, as Prometheus reads them.
pub async fn metrics(State(app): State<Shared>) -> Response {
    let (worked_on, waiting) = app.load();
    let opened = app.shelf.now();
    let listeners = app.options.limits.listeners - app.listeners.available_permits();
    let connections = app.metrics.connections.load(Ordering::Relaxed);
    let gauges = [
        ("games", "Entries of the database.", opened.store.count()),
        (
            "questions",
            "Questions that are worked on.",
            worked_on as u64,
        ),
        ("waiting", "Questions that wait.", waiting as u64),
        (
            "listeners",
            "Clients that listen for events.",
            listeners as u64,
        ),
        (
            "connections",
            "Connections that are open.",
            connections as u64,
        ),
    ];
    let mut text = String::new();
    let written = app.metrics.write(&mut text);
    for (name, help, value) in gauges {
        text.push_str(&format!(
            "# HELP tabiya_{name} {help}\n# TYPE tabiya_{name} gauge\ntabiya_{name} {value}\n"
        ));
    }
    match written {
        Ok(()) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
