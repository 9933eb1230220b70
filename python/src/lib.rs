//! tabiya for Python: the extension module `tabiya._tabiya`.
//!
//! One file a noun. All classes but `GameBuilder`, which one thread has at a time, are frozen, so that
//! threads share them, and all long work is done by [`work::run`] or [`background::Background`], without Python's lock.

#![deny(missing_docs)]

mod annotation;
mod arrow;
mod background;
mod builder;
mod check;
mod convert;
mod create;
mod database;
mod duplicates;
mod error;
mod filter;
mod format;
mod game;
mod games;
mod info;
mod loss;
mod moves;
mod names;
mod node;
mod nodes;
mod plan;
mod planes;
mod position;
mod positions;
mod process;
mod repertoire;
mod rows;
mod search;
mod store;
mod tags;
mod tree;
mod values;
mod work;

use pyo3::prelude::*;

/// The functions and classes that `tabiya` passes on.
#[pymodule(gil_used = false)]
fn _tabiya(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<annotation::Annotation>()?;
    module.add_class::<annotation::Comment>()?;
    module.add_class::<annotation::Evaluation>()?;
    module.add_class::<annotation::GameError>()?;
    module.add_class::<arrow::Batches>()?;
    module.add_class::<arrow::Stream>()?;
    module.add_class::<arrow::Table>()?;
    module.add_class::<builder::GameBuilder>()?;
    module.add_class::<check::Check>()?;
    module.add_class::<check::Finding>()?;
    module.add_class::<convert::Report>()?;
    module.add_class::<create::Writer>()?;
    module.add_class::<database::Database>()?;
    module.add_class::<duplicates::Duplicates>()?;
    module.add_class::<format::Format>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<games::Games>()?;
    module.add_class::<info::Info>()?;
    module.add_class::<loss::Loss>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<names::NameGroup>()?;
    module.add_class::<names::Names>()?;
    module.add_class::<names::Spelling>()?;
    module.add_class::<node::Node>()?;
    module.add_class::<node::NodeIterator>()?;
    module.add_class::<plan::Applied>()?;
    module.add_class::<plan::Plan>()?;
    module.add_class::<plan::Step>()?;
    module.add_class::<planes::PositionArrays>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<repertoire::Departure>()?;
    module.add_class::<search::Hit>()?;
    module.add_class::<search::Hits>()?;
    module.add_class::<store::Store>()?;
    module.add_class::<tags::Tags>()?;
    module.add_class::<tree::Branch>()?;
    module.add_class::<tree::Tally>()?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<work::Progress>()?;
    let kinds = PyModule::import(module.py(), "collections.abc")?;
    let register = |kind, class| kinds.getattr(kind)?.call_method1("register", (class,));
    register("Mapping", module.getattr("Tags")?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(create::create, module)?)?;
    module.add_function(wrap_pyfunction!(database::open, module)?)?;
    module.add_function(wrap_pyfunction!(duplicates::duplicates, module)?)?;
    module.add_function(wrap_pyfunction!(format::formats, module)?)?;
    module.add_function(wrap_pyfunction!(names::names, module)?)?;
    // The package says what is public.
    module.delattr("__all__")?;
    Ok(())
}
