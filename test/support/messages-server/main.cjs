// The Messages server as a process of its own:
//
//     node test/support/messages-server/main.cjs '{"port": 0, "pipeline": "pipelines/daily-quant-pipeline.yaml", "script": "daily-quant"}'
//
// `pipeline` and `script` name a script beside a pipeline; without them `replies` is a list of what it gives (`served.ts`), one after the
// other. Says `{"url": …, "key": …}` in one line when it listens; GET /report tells `{requests, paid, problems}`. Ends with its stdin.
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

const { startMessagesServer } = require('./server.ts');
const { replyFromScript } = require('./from-script.ts');

async function main({ pipeline, script, replies = [], ...options }) {
  const serve = pipeline === undefined ? replies : replyFromScript(readScript(resolve(pipeline), script));
  const { url, key } = await startMessagesServer(serve, options);
  process.stdout.write(`${JSON.stringify({ url, key })}\n`);
  process.stdin.resume().on('end', () => process.exit(0));
}

function readScript(pipeline, name) {
  const { scriptBeside } = require('../../../worker/script-files.ts');
  return scriptBeside(pipeline, name).script;
}

main(JSON.parse(process.argv[2] ?? '{}'));
