// A model's server as a process of its own:
//
//     node test/support/model-server/main.cjs '{"dialect": "messages", "pipeline": "pipelines/daily-quant-pipeline.yaml", "script":
// "daily-quant"}'
//
// The dialect is `messages` or `completions`. `pipeline` and `script` name a script next to a pipeline. Without them `replies` is the list
// of its replies (`served.ts` of the dialect), in order; `port` and `key` as in `server.ts`. Prints `{"url": …, "key": …}` in one line when
// it listens. GET /report returns `{requests, paid, problems}`. Ends with its stdin.
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  module._compile(code, file);
};

const { startModelServer } = require('./server.ts');
const { replyFromScript } = require('./from-script.ts');
const { MESSAGES } = require('../messages-server/dialect.ts');
const { COMPLETIONS } = require('../completions-server/dialect.ts');

const DIALECTS = { messages: MESSAGES, completions: COMPLETIONS };

async function main({ dialect: name, pipeline, script, replies = [], ...options }) {
  const dialect = DIALECTS[name];
  const serve = pipeline === undefined ? replies : replyFromScript(readScript(resolve(pipeline), script), dialect.voice);
  const { url, key } = await startModelServer(dialect, serve, options);
  process.stdout.write(`${JSON.stringify({ url, key })}\n`);
  process.stdin.resume().on('end', () => process.exit(0));
}

function readScript(pipeline, name) {
  const { scriptBeside } = require('../../../worker/script-files.ts');
  return scriptBeside(pipeline, name).script;
}

main(JSON.parse(process.argv[2] ?? '{}'));
