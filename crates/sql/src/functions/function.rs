//! A function of one row, as DataFusion sees it.

use std::hash::{Hash, Hasher};

use datafusion::{
    arrow::{array::ArrayRef, datatypes::DataType},
    common::{Result, plan_err},
    logical_expr::{
        ColumnarValue, DocSection, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature,
        Volatility,
    },
};

use super::arguments::{Arguments, Kind};

/// What a function takes.
pub(super) struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    pub about: &'static str,
}

/// What a function is.
pub(super) struct About {
    pub name: &'static str,
    /// What it gives, and when nothing.
    pub about: &'static str,
    pub parameters: &'static [Parameter],
    pub returns: DataType,
    /// A question that uses it.
    pub example: &'static str,
    pub run: fn(&Arguments) -> Result<ArrayRef>,
}

/// A name with what it takes: `reaches(moves, fen)`.
pub(super) fn syntax(name: &str, parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    format!("{name}({})", names.join(", "))
}

/// The documentation that DataFusion shows.
pub(super) fn documentation<'a>(
    syntax: String,
    about: &str,
    example: &str,
    parameters: impl IntoIterator<Item = &'a Parameter>,
) -> Documentation {
    let section = DocSection {
        label: "Chess",
        ..DocSection::default()
    };
    let mut builder = Documentation::builder(section, about, syntax).with_sql_example(example);
    for parameter in parameters {
        builder = builder.with_argument(parameter.name, parameter.about);
    }
    builder.build()
}

/// The types that arguments are turned into before a function sees them.
pub(super) fn coerce<'a>(
    syntax: &str,
    parameters: impl Iterator<Item = &'a Parameter> + Clone,
    given: &[DataType],
) -> Result<Vec<DataType>> {
    let (expected, found) = (parameters.clone().count(), given.len());
    if found != expected {
        return plan_err!("{syntax} is not called with {found} arguments");
    }
    parameters
        .zip(given)
        .map(|(parameter, given)| parameter.kind.coerce(syntax, parameter.name, given))
        .collect()
}

/// A function of SQL.
#[derive(Debug)]
pub(super) struct Function {
    name: &'static str,
    syntax: String,
    about: &'static About,
    signature: Signature,
    documentation: Documentation,
}

impl Function {
    pub fn new(about: &'static About) -> Function {
        let syntax = syntax(about.name, about.parameters);
        let documentation =
            documentation(syntax.clone(), about.about, about.example, about.parameters);
        Function {
            name: about.name,
            syntax,
            about,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation,
        }
    }
}

impl std::fmt::Debug for About {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// There is one function of a name.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.about.returns.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce(&self.syntax, self.about.parameters.iter(), given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arguments = Arguments::new(self.name, args.args, args.number_rows)?;
        (self.about.run)(&arguments).map(ColumnarValue::Array)
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
