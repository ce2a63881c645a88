import { basename, dirname } from 'node:path';

const above = dirname(__dirname);

/** The folder of package.json and of what the package ships beside its code, whether this runs from the build or from the sources, as tests do. */
export const PACKAGE_ROOT = basename(above) === 'dist' ? dirname(above) : above;
