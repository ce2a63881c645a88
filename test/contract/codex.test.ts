import { describeAdapter } from './describe-adapter';
import { programUnderTest } from './harness/program';

// It reads files by programs of its own: what it may not do is to change them.
describeAdapter('cli (codex)', programUnderTest({ preset: 'codex', tools: { read_file: 'command_execution', run: 'file_change' } }));
