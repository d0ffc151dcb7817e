import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const _imports_0 = "/console-light.png";
const _imports_1 = "/console-dark.png";
const __pageData = JSON.parse('{"title":"","description":"","frontmatter":{"layout":"home","hero":{"name":"svc-runtime","text":"Typed commands, one audited commit","tagline":"Declare a command once. Get a REST endpoint, a GraphQL mutation, an OpenAPI document and a typed client; read models that you query and follow live. Its events and their audit reach Postgres in one transaction, before the caller gets an answer.","actions":[{"theme":"brand","text":"Get started","link":"/getting-started"},{"theme":"alt","text":"Your own service","link":"/guides/your-own-service"},{"theme":"alt","text":"Concepts","link":"/concepts/commands"}]},"features":[{"title":"A lifecycle you can see","details":"Every request runs as an XState actor. The console shows each state, its count and its latency, live.","link":"/concepts/commands"},{"title":"An audit that cannot be lost","details":"The audit of a command is part of its commit, and a hash chain shows whether a record was changed.","link":"/concepts/audit"},{"title":"Read models that repair themselves","details":"Perspectives fold late events where they happened and rebuild beside the model that is being read.","link":"/concepts/perspectives"},{"title":"Reads and live streams","details":"REST, GraphQL and the client filter, sort and page every read model, and follow it while it changes.","link":"/guides/reads"},{"title":"Postgres is enough","details":"The log is the outbox. Add NATS when stores must exchange events, and nothing else.","link":"/concepts/messages"},{"title":"Made to be operated","details":"Supervisor, health checks, metrics, traces, a console, a central monitor and one command line.","link":"/guides/operating"},{"title":"Time travel in the console","details":"Replay a request state by state, walk through the events of a stream, and see what each changed in your rows.","link":"/guides/console"},{"title":"Room for the rest","details":"Own routes, Fastify plugins, signed webhooks and CORS on the same server, with the same permissions.","link":"/guides/own-routes"},{"title":"Errors where they happened","details":"The generator reports mistakes with file and line, as the compiler does. Problems have one table of codes.","link":"/reference/diagnostics"}]},"headers":[],"relativePath":"index.md","filePath":"index.md"}');
const _sfc_main = { name: "index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><p class="console-picture"><img class="light-only"${ssrRenderAttr("src", _imports_0)} alt="The console: one request with its failure, its path through the lifecycle and its messages"><img class="dark-only"${ssrRenderAttr("src", _imports_1)} alt="The same in dark colors"></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
