import { describeAdapter } from './describe-adapter';
import { IN_LINES, programUnderTest } from './harness/program';

// It reads files by programs of its own, so only changes to files can be forbidden.
const tools = { read_file: 'command_execution', run: 'file_change' };
describeAdapter('cli (codex)', programUnderTest({ preset: 'codex', tools, abilities: IN_LINES, byAnothersTransport: true }));
