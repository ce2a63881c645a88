// A server of tools that misbehaves: each of its tools does so in another way. Its MCP is hand-written, so that it can lie.
const { openSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { spawn } = require('node:child_process');

const [mode, fifo] = process.argv.slice(2);
const object = { type: 'object', properties: {} };
const tool = (name, more = {}) => ({ name, description: `does ${name}`, inputSchema: object, ...more });

const TOOLS = [
  tool('echo', { inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } }),
  tool('die'),
  tool('silent'),
  tool('other_id'),
  tool('garbage'),
  tool('endless_line'),
  tool('many_lines'),
  tool('nothing'),
  tool('rpc_error'),
  tool('failing'),
  tool('breaks_promise', { outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }),
  tool('keeps_promise', { outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }),
  tool('large'),
  tool('asks'),
  tool('env'),
  tool('blocks'),
  tool('murmurs'),
];

const LISTS = {
  bad: [
    tool('fine'),
    tool('fine', { description: 'listed twice' }),
    tool('no/slash'),
    tool('x'.repeat(60)),
    { name: 'schemaless', description: 'd' },
    tool('not_object', { inputSchema: { type: 'string' } }),
    tool('not_schema', { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }),
    tool('remote_ref', { inputSchema: { type: 'object', properties: { a: { $ref: 'https://x.org/s' } } } }),
    tool('talkative', { description: 'd'.repeat(100_000) }),
    tool('task_only', { execution: { taskSupport: 'required' } }),
    { description: 'nameless' },
    tool(''),
    7,
  ],
};

let pages = 0;
const answers = [];

function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function list(id) {
  if (mode === 'endless-pages') {
    pages += 1;
    return say({ id, result: { tools: [tool(`t${pages}`)], nextCursor: `${pages}` } });
  }
  if (mode === 'no-list') return say({ id, result: { tools: 'none' } });
  return say({ id, result: { tools: LISTS[mode] ?? TOOLS } });
}

const CALLS = {
  echo: (id, { text }) => say({ id, result: { content: [{ type: 'text', text }] } }),
  die: () => {
    process.stderr.write('about to die\n');
    process.exit(3);
  },
  silent: () => undefined,
  murmurs: (id) => process.stderr.write(`serving with ${process.env.TOKEN}\n`, () => say({ id, result: { content: [] } })),
  other_id: (id) => say({ id: id + 1000, result: { content: [{ type: 'text', text: 'for somebody else' }] } }),
  garbage: (id) => {
    process.stdout.write('Listening on port 3000\n{"jsonrpc":"2.0"}\n[1,2]\nnull\n');
    say({ id, result: { content: [{ type: 'text', text: 'after the garbage' }] } });
  },
  endless_line: () => {
    const more = () => process.stdout.write('x'.repeat(1 << 16), more);
    more();
  },
  many_lines: () => process.stdout.write('nonsense\n'.repeat(2000)),
  nothing: (id) => say({ id, result: {} }),
  rpc_error: (id, { text }) => say({ id, error: { code: -32602, message: text ?? 'no such thing' } }),
  failing: (id) => say({ id, result: { isError: true, content: [{ type: 'text', text: 'it is not there' }] } }),
  breaks_promise: (id) => say({ id, result: { content: [], structuredContent: { n: 'one' } } }),
  keeps_promise: (id) => say({ id, result: { content: [{ type: 'text', text: '{ "n": 1 }' }], structuredContent: { n: 1 } } }),
  large: (id) => say({ id, result: { content: [{ type: 'text', text: 'y'.repeat(100_000) }] } }),
  asks: (id) => {
    for (const [i, method] of ['sampling/createMessage', 'elicitation/create', 'roots/list'].entries())
      say({ id: `q${i}`, method, params: {} });
    answers.push(id);
  },
  env: (id) => say({ id, result: { content: [{ type: 'text', text: JSON.stringify({ env: process.env, cwd: process.cwd() }) }] } }),
  blocks: (id) =>
    say({
      id,
      result: {
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', mimeType: 'image/png', data: Buffer.alloc(300).toString('base64') },
          { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
          { type: 'resource_link', name: 'r', uri: 'file:///r' },
          { type: 'resource', resource: { uri: 'file:///t', mimeType: 'text/plain', text: 'inside' } },
          { type: 'hologram' },
        ],
        structuredContent: { also: [1] },
      },
    }),
};

const refusals = [];
if (mode === 'mute') setInterval(() => undefined, 1000);
else if (mode === 'stays' || mode === 'parts') {
  // Neither the end of its input nor SIGTERM ends it. It has a child of the same kind, with `parts` in a session of its own. Both hold the
  // fifo open.
  process.on('SIGTERM', () => undefined);
  const held = openSync(fifo, 'w');
  const forever = 'process.on("SIGTERM", () => 0); console.log("up"); setInterval(() => 0, 1000)';
  const child = spawn(process.execPath, ['-e', forever], { stdio: ['ignore', 'pipe', 'ignore', held], detached: mode === 'parts' });
  child.stdout.once('data', serve);
} else serve();

function serve() {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, error } = JSON.parse(line);
    if (method === 'initialize') {
      const version = mode === 'old' ? '1999-01-01' : params.protocolVersion;
      say({ id, result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } } });
    } else if (method === 'tools/list') list(id);
    else if (method === 'tools/call') CALLS[params.name](id, params.arguments);
    else if (error) {
      refusals.push(error.code);
      if (refusals.length === 3) say({ id: answers.pop(), result: { content: [{ type: 'text', text: refusals.join(' ') }] } });
    }
  });
  if (mode === 'stays' || mode === 'parts') setInterval(() => undefined, 1000);
}
