//! Generates a module for each schema, in OUT_DIR.

use std::path::Path;

use typify::{TypeSpace, TypeSpaceSettings};

fn main() {
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for name in ["agent-event", "agent-command", "acp-v1", "config"] {
        let path = format!("../../../schema/{name}.schema.json");
        println!("cargo::rerun-if-changed={path}");
        let text = std::fs::read_to_string(&path).expect("the schema is there");
        let schema = serde_json::from_str(&text).expect("it is a schema");
        let mut types = TypeSpace::new(&TypeSpaceSettings::default());
        types.add_root_schema(schema).expect("typify understands it");
        std::fs::write(Path::new(&out).join(format!("{name}.rs")), types.to_stream().to_string()).expect("it can be written");
    }
}
