//! The description of the interface is true: what is served is as it says.

use serde_json::{Map, Value, json};

use crate::common::{Site, request};

/// The schema that a schema is, or refers to.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(place) => {
            let place = place.strip_prefix('#').expect("a place in the document");
            document
                .pointer(place)
                .unwrap_or_else(|| panic!("{place} is not there"))
        }
        None => schema,
    }
}

/// All properties of an object and those that must be there, of parts that are put together too.
fn properties<'d>(
    document: &'d Value,
    schema: &'d Value,
    all: &mut Map<String, Value>,
    required: &mut Vec<&'d str>,
) {
    let schema = resolved(document, schema);
    for part in schema["allOf"].as_array().into_iter().flatten() {
        properties(document, part, all, required);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        all.insert(name.clone(), property.clone());
    }
    let names = schema["required"].as_array().into_iter().flatten();
    required.extend(names.filter_map(Value::as_str));
}

/// What is wrong with a value, if anything is: types, properties that are missing, or too many.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let schema = resolved(document, schema);
    for choices in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[choices].as_array() {
            let mut tried = choices.iter().map(|one| check(document, one, value, place));
            return match tried.any(|tried| tried.is_ok()) {
                true => Ok(()),
                false => Err(format!("{place}: {value} is none of {choices:?}")),
            };
        }
    }
    let allowed = schema["enum"].as_array();
    if allowed.is_some_and(|allowed| !allowed.contains(value)) {
        return Err(format!("{place}: {value} is not allowed"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |wanted: &Value| wanted == kind || kind == "integer" && wanted == "number";
    let is_right = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(fits),
        wanted => fits(wanted),
    };
    if !is_right {
        return Err(format!("{place}: {value} is no {}", schema["type"]));
    }
    match value {
        Value::Array(items) if schema["items"].is_object() => {
            let items = items.iter().enumerate();
            let mut items = items.map(|(at, item)| {
                check(document, &schema["items"], item, &format!("{place}[{at}]"))
            });
            items.find(Result::is_err).unwrap_or(Ok(()))
        }
        Value::Object(fields) => check_object(document, schema, fields, place),
        _ => Ok(()),
    }
}

fn check_object(
    document: &Value,
    schema: &Value,
    fields: &Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    let (mut all, mut required) = (Map::new(), Vec::new());
    properties(document, schema, &mut all, &mut required);
    if let Some(missing) = required.iter().find(|name| !fields.contains_key(**name)) {
        return Err(format!("{place}: {missing} is missing"));
    }
    for (name, field) in fields {
        let property = all
            .get(name)
            .ok_or_else(|| format!("{place}: {name} is not described"))?;
        check(document, property, field, &format!("{place}.{name}"))?;
    }
    Ok(())
}

/// What is described of the answers to a path: the schema of a status.
fn described<'d>(document: &'d Value, path: &str, status: u16) -> Option<&'d Value> {
    let answers = &document["paths"][path]["get"]["responses"];
    let contents = answers[status.to_string()]["content"].as_object()?;
    Some(&contents.values().next()?["schema"])
}

#[tokio::test]
async fn answers_are_as_they_are_described() {
    let site = Site::new();
    let document = site.json("/api/openapi.json").await;
    for (path, asked) in [
        ("/api/info", "/api/info"),
        ("/api/position", "/api/position?play=e2e4,c7c5"),
        (
            "/api/position",
            "/api/position?fen=7k/5Q2/6K1/8/8/8/8/8%20b",
        ),
        ("/api/tree", "/api/tree"),
        ("/api/tree", "/api/tree?fen=x"),
        ("/api/games", "/api/games?any=1"),
        ("/api/games/{id}", "/api/games/4"),
        ("/api/games/{id}", "/api/games/5"),
        ("/api/games/{id}", "/api/games/6"),
        ("/api/games/{id}", "/api/games/x"),
        ("/api/players", "/api/players"),
        ("/api/player", "/api/player?name=Tal"),
        ("/api/player", "/api/player?name=x"),
        ("/api/opening", "/api/opening?eco=C42"),
        ("/lichess", "/lichess?history=true"),
        ("/lichess", "/lichess?play=e2e4,e7e5"),
        ("/masters", "/masters"),
        ("/player", "/player?player=tal&color=white"),
        ("/player", "/player"),
    ] {
        let reply = site.get(asked).await;
        let status = reply.status.as_u16();
        let schema = described(&document, path, status);
        let schema = schema.unwrap_or_else(|| panic!("{asked}: nothing is said of {status}"));
        if let Err(wrong) = check(&document, schema, &reply.json(), "answer") {
            panic!("{asked}: {wrong}");
        }
    }
}

#[test]
fn a_check_that_finds_nothing_finds_what_is_wrong() {
    let document = json!({"part": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}});
    let schema = json!({"allOf": [{"$ref": "#/part"}, {"type": "object", "properties": {"b": {"type": ["string", "null"]}}}]});
    let is_right = |value: Value| check(&document, &schema, &value, "").is_ok();
    assert!(is_right(json!({"a": 1, "b": null})));
    assert!(is_right(json!({"a": 1})));
    assert!(!is_right(json!({"b": "x"})));
    assert!(!is_right(json!({"a": 1, "b": 2})));
    assert!(!is_right(json!({"a": 1, "c": 2})));
    assert!(!is_right(json!({"a": 1.5})));
}

#[tokio::test]
async fn everything_that_is_described_is_there() {
    let site = Site::new();
    let document = site.json("/api/openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 16);
    for (path, item) in paths {
        let path = path.replace("{id}", "1");
        // It would wait for events.
        if path == "/api/events" {
            continue;
        }
        let is_post = item.get("post").is_some();
        let mut request = request(&path);
        if is_post {
            *request.method_mut() = axum::http::Method::POST;
        }
        let status = site.send(request).await.status.as_u16();
        assert!(!matches!(status, 404 | 405 | 500..), "{path}: {status}");
    }
}
