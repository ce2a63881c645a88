import { homedir } from 'node:os';
import type { Invocation } from '../command';
import { type Configuration, loadConfiguration } from './configuration';

/** The configuration of this call: its flags, its environment, its folder. */
export function configurationOf({ options, terminal }: Pick<Invocation, 'options' | 'terminal'>): Configuration {
  const { cwd, env } = terminal;
  return loadConfiguration(options, { cwd, env, home: homedir(), platform: process.platform });
}
