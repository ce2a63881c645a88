// Commands of the built program, one after the other in one process: most of what a short command takes is the time to load.
// Each comes as {id, argv} and is answered with {id, code, out, err}; it finds no terminal and an empty standard input.
const { join, resolve } = require('node:path');
const { PassThrough, Writable } = require('node:stream');

const dist = resolve(__dirname, '../../../dist');
const { runCommand } = require(join(dist, 'cli/run-command.js'));
const { processTerminal } = require(join(dist, 'cli/terminal.js'));

const terminal = processTerminal();
let last = Promise.resolve();

async function execute({ id, argv }) {
  let out = '';
  let err = '';
  const stdin = new PassThrough();
  stdin.end();
  const stdout = new Writable({
    write(piece, _encoding, done) {
      out += piece;
      done();
    },
  });
  const print = (text) => {
    out += text;
  };
  const complain = (text) => {
    err += text;
  };
  const code = await runCommand(argv, { ...terminal, stdin, stdout, interactive: false, live: false, out: print, err: complain });
  process.send({ id, code, out, err });
}

process.on('message', (order) => {
  // A mistake of the program ends this process, and with it the test.
  last = last.then(() => execute(order));
});
