// Nothing yet needs the whole suite's set-up; suites that need a server start it themselves.
module.exports = async () => undefined;
