/** What is used of Node's own loader: names that much of the ecosystem hooks, and that have not changed since Node 0.6. */
export interface NodeLoader {
  _resolveFilename(request: string, parent: NodeJS.Module | null | undefined, isMain?: boolean, options?: object): string;
  _extensions: Record<string, ((module: NodeJS.Module, path: string) => void) | undefined>;
  _nodeModulePaths(from: string): string[];
  _cache: Record<string, NodeJS.Module | undefined>;
  wrapper: readonly [string, string];
  prototype: { _compile(this: NodeJS.Module, source: string, path: string, format?: string): unknown };
}
