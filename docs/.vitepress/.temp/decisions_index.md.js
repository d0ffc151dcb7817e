import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Decisions","description":"Why the weighty parts are the way they are, with figures.","frontmatter":{"description":"Why the weighty parts are the way they are, with figures."},"headers":[],"relativePath":"decisions/index.md","filePath":"decisions/README.md"}');
const _sfc_main = { name: "decisions/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="decisions" tabindex="-1">Decisions <a class="header-anchor" href="#decisions" aria-label="Permalink to &quot;Decisions&quot;">​</a></h1><p>Why the weighty or surprising parts are the way they are, each on one page: the choice, what it was chosen over, the figures behind it, what it costs. Figures were measured on two cores with Node 20 and, unless a page says otherwise, PostgreSQL 15 with <code>fsync</code> on; read the ratios, not the absolutes. <code>npm run bench</code> measures most of them again beside the peers.</p><table tabindex="0"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><a href="./compiled-lifecycle-table">Compiled lifecycle table</a></td><td>a real XState actor per request without XState&#39;s price</td></tr><tr><td><a href="./group-commit">Group commit and its lock</a></td><td>one writer, one call, one lock per flush</td></tr><tr><td><a href="./audit-in-the-commit">Audit in the commit</a></td><td>no audit can be lost or invented</td></tr><tr><td><a href="./log-as-outbox">The log is the outbox</a></td><td>a cursor instead of a queue of rows</td></tr><tr><td><a href="./hash-chain">The hash chain</a></td><td>what makes the system stream tamper-evident</td></tr><tr><td><a href="./own-codecs">Our own codecs</a></td><td>generated decoders instead of a schema library</td></tr><tr><td><a href="./own-graphql-plan">Our own GraphQL plan</a></td><td>mutations at nearly the price of REST, without <code>eval</code></td></tr><tr><td><a href="./bind-frames">Bind frames</a></td><td>parameters written as bytes, once</td></tr><tr><td><a href="./lazy-abort-signal">Lazy AbortSignal</a></td><td>cancellation that costs nothing until it is used</td></tr><tr><td><a href="./admission-and-shedding">Admission and shedding</a></td><td>two gates in front of the handlers</td></tr><tr><td><a href="./own-pages">Our own pages</a></td><td><code>/docs</code> and <code>/graphql</code> without Scalar and GraphiQL</td></tr><tr><td><a href="./embedded-postgresql">Embedded PostgreSQL</a></td><td>a real server behind <code>npm start</code></td></tr><tr><td><a href="./process-supervision">Process supervision</a></td><td>heartbeats, restarts, drains</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
