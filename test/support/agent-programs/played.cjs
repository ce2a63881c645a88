/**
 * What the stand-ins for agents' programs share: they are real processes that follow a folder's instructions and record there what they
 * have seen. Only `programs.ts` reads and writes the other side of this folder, and it describes the contents.
 *
 * $FAKE_AGENT is the folder. In it:
 *   play.json      {replies: Reply[], faults: Fault[]}; see programs.ts
 *   asked.jsonl    one line a start: {argv, stdin, cwd, env, pid, session, resumed, tty}
 *   paid.jsonl     one line a reply that was given: {reply, session}
 *   sessions/ID    how many replies the session has in it
 *   faults/N       fault N has happened
 *   still, go      fifos: a program that stands still writes a line to the first, and reads the second
 *   pids           a line for each process that was started
 */
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.FAKE_AGENT;
if (!folder) throw new Error('FAKE_AGENT names no folder');
const play = JSON.parse(readFileSync(join(folder, 'play.json'), 'utf8'));
const at = (...names) => join(folder, ...names);
const isAt = (...names) => existsSync(at(...names));
const note = (name, line) => appendFileSync(at(name), `${JSON.stringify(line)}\n`);

appendFileSync(at('pids'), `${process.pid}\n`);
if (process.argv.slice(2).includes('--version')) {
  out(`${play.version ?? '1.2.3 (fake)'}\n`);
  process.exit(0);
}

/** Prints the whole text, even if the pipe is full. */
function out(text) {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(1, bytes, from);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function say(value) {
  out(`${JSON.stringify(value)}\n`);
}

function fail(message, code = 1) {
  writeSync(2, `${message}\n`);
  process.exit(code);
}

/** Waits until the other side lets it continue. */
function standStill() {
  writeFileSync(at('still'), 'still\n');
  readFileSync(at('go'));
}

/** The number of replies before the next one: those of the session, or those in the prompt of a new session. */
function repliesBehind(session, resumed, prompt) {
  if (resumed) return Number(readFileSync(at('sessions', session), 'utf8'));
  const told = play.replies.map(({ text, calls }) => [text, ...(calls ?? []).map(({ args }) => JSON.stringify(args))]);
  return told.findLastIndex((marks) => marks.some((mark) => mark && mark.length > 3 && prompt.includes(mark))) + 1;
}

/**
 * Plays replies until one has no calls.
 *
 * @param {object} dialect
 *   prompt, session (that it is to continue with), copied (it is left as it is), own (id of a new one); words(kind, fault) the program's
 * own words for a failure: `error`,
 *   `overloaded`, `unauthorized`, `context`, `refused`, `unknown-session`; begin(session), reply(reply, n, work) with work() between calls
 * and results,
 *   end(reply, used, usedInSession), broken()
 */
function run(dialect) {
  const { prompt, session: wanted, own } = dialect;
  const stdin = dialect.stdin ?? '';
  const known = wanted !== undefined && isAt('sessions', wanted);
  const resumed = known;
  // A copy has the replies of the session, and an id of its own.
  const session = known && !dialect.copied ? wanted : (own ?? `session-${process.pid}`);
  const env = { ...process.env };
  note('asked.jsonl', {
    argv: process.argv.slice(2),
    stdin,
    cwd: process.cwd(),
    env,
    pid: process.pid,
    session,
    resumed,
    tty: Boolean(process.stdin.isTTY),
  });
  const unknown = wanted !== undefined && !known && own === undefined;
  if (unknown) dialect.words('unknown-session', {});
  mkdirSync(at('sessions'), { recursive: true });
  mkdirSync(at('faults'), { recursive: true });
  const used = [];
  dialect.begin(session);
  for (let n = repliesBehind(wanted, resumed, prompt); ; n++) {
    const index = play.faults?.findIndex((fault, i) => fault.at === n + 1 && !isAt('faults', String(i))) ?? -1;
    const fault = index < 0 ? undefined : play.faults[index];
    if (fault) {
      writeFileSync(at('faults', String(index)), '');
      misbehave(dialect, fault);
    }
    const reply = play.replies[n];
    if (!reply) fail(`there is no reply ${n + 1}`);
    used.push(reply);
    writeFileSync(at('sessions', session), String(n + 1));
    note('paid.jsonl', { reply: n + 1, session });
    dialect.reply(reply, n + 1, () => {
      if (fault?.kind === 'busy') standStill();
    });
    if (fault?.kind === 'stalled') standStill();
    if (fault?.kind === 'dies-after') process.kill(process.pid, 'SIGKILL');
    if (reply.calls?.length) continue;
    dialect.end(reply, used, paidIn(session));
    if (fault?.kind === 'leaves-child') leaveChild();
    if (fault?.kind === 'lingers') setInterval(() => undefined, 1000);
    if (fault?.kind === 'ends-badly') fail('it ended badly', 3);
    return;
  }
}

/** Every reply of a session, from all starts. */
function paidIn(session) {
  const lines = readFileSync(at('paid.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.filter((line) => line.session === session).map(({ reply }) => play.replies[reply - 1]);
}

/** The module that starts programs is loaded only here, because hundreds of stand-ins run and most start no program. */
function spawnNode(code, options) {
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', code], options);
  appendFileSync(at('pids'), `${child.pid}\n`);
}

function misbehave(dialect, fault) {
  switch (fault.kind) {
    case 'error':
    case 'overloaded':
    case 'unauthorized':
    case 'context':
    case 'refused':
      return dialect.words(fault.kind, fault);
    case 'silent':
      out(fault.text ?? '');
      return standStill();
    case 'deaf': {
      // Only SIGKILL ends it.
      process.on('SIGTERM', () => undefined);
      spawnNode('process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000)', { stdio: 'ignore' });
      writeFileSync(at('still'), 'still\n');
      setInterval(() => undefined, 1000);
      throw HOLD;
    }
    case 'dies':
      return process.kill(process.pid, 'SIGKILL');
    case 'exits':
      return fail(fault.message ?? 'something broke', fault.code ?? 1);
    case 'mute':
      return process.exit(0);
    case 'junk':
      return out(fault.text);
    case 'flood':
      return out(Buffer.alloc(fault.bytes, 'x'));
    case 'tty':
      try {
        readFileSync('/dev/tty');
        return undefined;
      } catch {
        return fail('the input device is not a TTY', 1);
      }
    default:
      return undefined;
  }
}

/** Thrown to wait while the event loop runs. */
const HOLD = new Error('hold');
process.on('uncaughtException', (error) => {
  if (error !== HOLD) fail(error.stack);
});

/** Leaves a child that holds the pipes of this process open. */
function leaveChild() {
  spawnNode('setInterval(() => undefined, 1000)', { stdio: 'inherit', detached: true });
  process.exit(0);
}

/** The value of a flag, as `--flag value` or `--flag=value`. */
function flag(name) {
  const words = process.argv.slice(2);
  const joined = words.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const index = words.indexOf(name);
  return index < 0 ? undefined : words[index + 1];
}

/** Puts bytes that are not UTF-8 in the place of U+0000. */
function rawText(line, raw) {
  return raw ? Buffer.from(line.replaceAll('\\u0000', '\u0000').replaceAll('\0', '\xff'), 'latin1') : line;
}

const counts = ({ usage }) => ({ inputTokens: 10, outputTokens: 5, cacheRead: 0, cacheWrite: 0, ...usage });

/** A sum. If one of the parts is not a number, this part is the result, as from a broken program. */
const plus = (...parts) => {
  const odd = parts.findIndex((part) => typeof part !== 'number');
  return odd < 0 ? parts.reduce((sum, part) => sum + part) : parts[odd];
};

module.exports = { play, out, say, fail, run, flag, rawText, counts, plus, readStdin: () => readFileSync(0, 'utf8') };
