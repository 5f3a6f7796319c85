//! What the package exports to modules.

use super::HEAD;
use crate::description::{Description, Type};
use crate::python::error_class;
use crate::text::word;

/// `index.mjs`: the same objects as `require` gives, so that there is one of each.
pub(super) fn modules(description: &Description) -> Result<String, String> {
    let codes = description.enumeration("ErrorCode").ok_or("ErrorCode is not described")?;
    let mut names: Vec<String> = description.objects.iter().map(|object| object.name.clone()).collect();
    names.extend(codes.variants.iter().map(|code| error_class(&word(&code.name))));
    let text = |kind: &Type| matches!(kind, Type::Text) || matches!(kind, Type::Vec(inner) if **inner == Type::Text);
    let classes = description.records.iter().filter(|record| record.fields.iter().any(|field| text(&field.kind)));
    names.extend(classes.map(|record| record.name.clone()));
    names.extend(["SandboxError".to_owned(), "Stream".to_owned()]);
    names.sort();
    Ok(format!(
        "{HEAD}\nimport api from './dist/index.js';\n\nexport const {{\n  {},\n}} = api;\n",
        names.join(",\n  ")
    ))
}
