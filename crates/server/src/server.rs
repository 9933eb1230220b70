//! A server that listens, answers, and ends when it shall.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use axum::Router;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tabiya::Error;
use tokio::{
    net::TcpStream,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{sleep, timeout},
};

use crate::{
    app::{App, Shared, routes},
    guard,
    options::Options,
    patient::Patient,
};

/// A database, and where it is served.
pub struct Server {
    listener: TcpListener,
    app: Shared,
    stop: Stop,
}

/// Ends a server: what is being answered is answered, and no more.
#[derive(Clone)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// It shall end.
    pub fn now(&self) {
        self.0.send_replace(true);
    }
}

/// Why a server does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum BindError {
    /// The database cannot be read.
    Database(Error),
    /// The address cannot be listened on.
    Listen(SocketAddr, io::Error),
    /// Others could reach the server, and there is no token.
    NeedsToken(SocketAddr),
    /// The token is too short, or has characters that no header has.
    BadToken,
}

impl std::fmt::Display for BindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BindError::Database(error) => error.fmt(f),
            BindError::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            BindError::NeedsToken(address) => write!(
                f,
                "others can reach {address}, so a token is needed that they must know"
            ),
            BindError::BadToken => f.write_str(
                "a token has 8 characters or more, letters, digits and -._~+/ among them",
            ),
        }
    }
}

impl std::error::Error for BindError {}

/// So often the server looks whether the database has changed.
const LOOK: Duration = Duration::from_secs(2);

/// So long those who are being answered may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(10);

impl Server {
    /// Opens a database, a folder of tabiya's own, and listens.
    ///
    /// # Errors
    /// If the database cannot be read, the address cannot be had, or others could reach it and there
    /// is no token.
    pub fn bind(path: impl AsRef<Path>, mut options: Options) -> Result<Server, BindError> {
        let listen = options.listen;
        match &options.token {
            None if !listen.ip().is_loopback() => return Err(BindError::NeedsToken(listen)),
            Some(token) if !guard::is_token(token) => return Err(BindError::BadToken),
            _ => {}
        }
        let refused = |error| BindError::Listen(listen, error);
        let listener = TcpListener::bind(listen).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        options.listen = listener.local_addr().map_err(refused)?;
        let (sender, receiver) = watch::channel(false);
        let app = App::new(path.as_ref(), options, receiver).map_err(BindError::Database)?;
        Ok(Server {
            listener,
            app: Arc::new(app),
            stop: Stop(Arc::new(sender)),
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.app.options.listen
    }

    /// How to end it.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers until it is [stopped](Server::stop).
    ///
    /// # Errors
    /// If the system has no threads for it.
    pub fn run(self) -> io::Result<()> {
        let limits = self.app.options.limits;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(limits.work.clamp(1, 4))
            // Some more than questions, for files and for looking after the database.
            .max_blocking_threads(limits.work.max(1) + 8)
            .build()?;
        let served = runtime.block_on(self.serve());
        // A question that nobody waits for any more ends soon.
        runtime.shutdown_timeout(Duration::from_secs(1));
        served
    }

    async fn serve(self) -> io::Result<()> {
        let Server {
            listener,
            app,
            stop: _stop,
        } = self;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let places = Arc::new(Semaphore::new(app.options.limits.connections.max(1)));
        let connections = GracefulShutdown::new();
        let router = routes(Arc::clone(&app));
        let mut stop = app.stop.clone();
        tokio::spawn(look_after(Arc::clone(&app)));
        loop {
            let next = tokio::select! {
                next = accept(&listener, &places) => next,
                _ = stop.wait_for(|stopped| *stopped) => break,
            };
            match next {
                Ok((stream, place)) => answer(&app, stream, place, router.clone(), &connections),
                // Too many files are open, mostly: it gets better.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
        drop(listener);
        // Whoever takes longer is left.
        let _ = timeout(FAREWELL, connections.shutdown()).await;
        Ok(())
    }
}

/// Answers on a connection, until it ends.
fn answer(
    app: &Shared,
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    router: Router,
    connections: &GracefulShutdown,
) {
    // Answers are small, and waiting for more to send makes them slow.
    let _ = stream.set_nodelay(true);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(app.options.limits.header_time)
        .max_buf_size(MOST_HEADER);
    let service = TowerToHyperService::new(router);
    let stream = Patient::new(stream, app.options.limits.header_time);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    let connection = connections.watch(connection);
    let app = Arc::clone(app);
    tokio::spawn(async move {
        app.metrics.connections.fetch_add(1, Ordering::Relaxed);
        // Who goes away in the middle is no news.
        let _ = connection.await;
        app.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        drop(place);
    });
}

/// A line of moves may be long; nothing else is.
const MOST_HEADER: usize = 64 << 10;

async fn accept(
    listener: &tokio::net::TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

/// Follows the database, and reads its headers before somebody asks for them.
async fn look_after(app: Shared) {
    let mut is_ready = None;
    loop {
        let (shelf, log) = (Arc::clone(&app.shelf), app.options.log.clone());
        let looked = tokio::task::spawn_blocking(move || {
            if let (Err(error), Some(log)) = (shelf.refresh(), log) {
                log(&format!("the database cannot be read again: {error}"));
            }
            shelf.now()
        });
        let Ok(opened) = looked.await else { return };
        if !is_ready
            .as_ref()
            .is_some_and(|ready| Arc::ptr_eq(ready, &opened))
        {
            let reading = Arc::clone(&opened);
            let read = tokio::task::spawn_blocking(move || reading.census().is_ok());
            let _ = read.await;
            is_ready = Some(opened);
        }
        sleep(LOOK).await;
    }
}
