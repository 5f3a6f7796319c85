//! What the package exports.

use super::{HEAD, errors, records};
use crate::description::Description;

/// `__init__.py`.
pub(super) fn render(description: &Description) -> Result<String, String> {
    let objects = |prefix: &str| {
        let names = description.objects.iter().map(|object| format!("{prefix}{}", object.name));
        let mut names: Vec<String> = [format!("{prefix}Stream")].into_iter().chain(names).collect();
        names.sort();
        names
    };
    let groups = [
        ("_async", objects("Async")),
        ("_errors", errors::names(description)?),
        ("_records", records::names(description, &records::inputs(description))),
        ("_sync", objects("")),
        ("_types", ["Command", "Lifetime", "LocalPath", "SandboxPath", "Seconds", "Size"].map(str::to_owned).to_vec()),
    ];
    let mut text = String::from(HEAD);
    text.push_str(include_str!("package_docs.py"));
    for (module, names) in &groups {
        text.push_str(&format!("from .{module} import (\n    {},\n)\n", names.join(",\n    ")));
    }
    let mut all: Vec<&String> = groups.iter().flat_map(|(_, names)| names).collect();
    all.sort();
    let all = all.iter().map(|name| format!("    \"{name}\",\n")).collect::<String>();
    text.push_str(&format!("\n__version__: str = _native.__version__\n\n__all__ = [\n    \"__version__\",\n{all}]\n"));
    Ok(text)
}
