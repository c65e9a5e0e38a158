// The version of this Bellhop, from package.json; also when Bellhop is packed into a few files.
import manifest from '../../package.json' with { type: 'json' }

export const { version } = manifest
