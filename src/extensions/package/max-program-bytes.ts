/** Of a release's file, and of what is unpacked from it. */
export const maxProgramBytes = 512 * 1024 * 1024;
