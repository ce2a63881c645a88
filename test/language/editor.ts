import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

/**
 * A language server as an editor drives it: a child process that speaks JSON-RPC over its standard streams. Requests are answered by
 * promise. The last notification for each method and document is kept.
 */
export class Editor {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly answers = new Map<number, (message: Message) => void>();
  private readonly listeners: ((message: Message) => void)[] = [];
  private received = Buffer.alloc(0);
  private last = 0;
  private settings: Record<string, object> = {};

  constructor(serverFile: string) {
    this.child = spawn(process.execPath, [serverFile, '--stdio'], { stdio: 'pipe' });
    this.child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    this.child.stderr.resume();
  }

  /** Begins a session that uses the schema for every YAML file. */
  async begin(schemaFile: string): Promise<void> {
    const schemas = { [pathToFileURL(schemaFile).href]: '*.yaml' };
    this.settings = { yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false }, schemas } };
    const capabilities = { workspace: { configuration: true } };
    await this.request('initialize', { processId: process.pid, rootUri: null, capabilities });
    this.notify('initialized', {});
    this.notify('workspace/didChangeConfiguration', { settings: this.settings });
  }

  /** Opens a document and returns the problems that the server finds in it. */
  async open(uri: string, text: string): Promise<Problem[]> {
    const published = new Promise<Problem[]>((resolve) => {
      this.listeners.push(({ method, params }) => {
        if (method === 'textDocument/publishDiagnostics' && params?.uri === uri) resolve(params.diagnostics ?? []);
      });
    });
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return published;
  }

  /** The completions at a place. Lines and characters count from 0. */
  async complete(uri: string, line: number, character: number): Promise<string[]> {
    const { result } = await this.request('textDocument/completion', { textDocument: { uri }, position: { line, character } });
    return (result?.items ?? []).map((item) => item.label);
  }

  async hover(uri: string, line: number, character: number): Promise<string> {
    const { result } = await this.request('textDocument/hover', { textDocument: { uri }, position: { line, character } });
    return result?.contents?.value ?? '';
  }

  async close(): Promise<void> {
    await this.request('shutdown', null);
    const ended = once(this.child, 'exit');
    this.notify('exit', null);
    await ended;
  }

  private request(method: string, params: unknown): Promise<Message> {
    const id = ++this.last;
    this.send({ id, method, params });
    return new Promise((resolve) => this.answers.set(id, resolve));
  }

  private notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  private send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child.stdin.write(body);
  }

  private take(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    for (;;) {
      const head = this.received.indexOf('\r\n\r\n');
      const length = head < 0 ? undefined : /Content-Length: (\d+)/i.exec(this.received.toString('latin1', 0, head))?.[1];
      const end = head + 4 + Number(length);
      if (length === undefined || this.received.length < end) return;
      const message = JSON.parse(this.received.toString('utf8', head + 4, end)) as Message;
      this.received = this.received.subarray(end);
      this.handle(message);
    }
  }

  private handle(message: Message): void {
    if (message.method === undefined) this.answers.get(message.id ?? -1)?.(message);
    else if (message.id !== undefined) this.send({ id: message.id, result: this.answerTo(message) });
    else for (const listener of this.listeners) listener(message);
  }

  /** The server requests settings by section. Its other requests, such as to register itself, need no answer. */
  private answerTo({ method, params }: Message): unknown {
    if (method !== 'workspace/configuration') return null;
    return (params?.items ?? []).map(({ section }) => this.settings[section] ?? null);
  }
}

export interface Problem {
  message: string;
  range: { start: { line: number; character: number } };
}

interface Message {
  id?: number;
  method?: string;
  params?: { uri?: string; diagnostics?: Problem[]; items?: { section: string }[] };
  result?: { items?: { label: string }[]; contents?: { value?: string } };
}
