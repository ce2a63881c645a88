import { basename, dirname } from 'node:path';

const above = dirname(__dirname);

/**
 * The folder of package.json and the files that the package ships in addition to its code, whether this runs from the build or, as in
 * tests, from the sources.
 */
export const PACKAGE_ROOT = basename(above) === 'dist' ? dirname(above) : above;
