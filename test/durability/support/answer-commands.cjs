// Runs commands of the built program one after another in one process, because a short command takes most of its time to load.
// Each comes as {id, argv, cwd, env}; what it prints goes out as {id, out} and {id, err}, and its end as {id, code}. It finds no terminal
// and an empty standard input. {interrupt: id} is its Ctrl-C.
const { join, resolve } = require('node:path');
const { PassThrough, Writable } = require('node:stream');

const dist = resolve(__dirname, '../../../dist');
require(join(dist, 'cli/compile-cache.js')).useCompileCache();
const { runCommand } = require(join(dist, 'cli/run-command.js'));
const { processTerminal } = require(join(dist, 'cli/terminal.js'));

const terminal = processTerminal();
const interrupts = new Map();
let last = Promise.resolve();

/** The variables are set one by one, because native code that reads one, such as the home folder, would not see another object. */
function takeEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

async function execute({ id, argv, cwd, env }) {
  process.chdir(cwd);
  takeEnvironment(env);
  const stdin = new PassThrough();
  stdin.end();
  const print = (text) => process.send({ id, out: String(text) });
  const complain = (text) => process.send({ id, err: String(text) });
  const stdout = new Writable({
    decodeStrings: false,
    write(piece, _encoding, done) {
      print(piece);
      done();
    },
  });
  const interrupted = interrupts.get(id).signal;
  const here = { ...terminal, cwd, env, stdin, stdout, interrupted, interactive: false, live: false, out: print, err: complain };
  process.send({ id, code: await runCommand(argv, here) });
  interrupts.delete(id);
}

process.on('message', (order) => {
  if (order.interrupt) return void interrupts.get(order.interrupt)?.abort(new DOMException('SIGINT', 'AbortError'));
  interrupts.set(order.id, new AbortController());
  // A mistake of the program ends this process, and with it the test.
  last = last.then(() => execute(order));
});
