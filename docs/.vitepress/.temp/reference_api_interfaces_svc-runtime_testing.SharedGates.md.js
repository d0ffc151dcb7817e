import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: SharedGates","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_testing.SharedGates.md","filePath":"reference/api/interfaces/svc-runtime_testing.SharedGates.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_testing.SharedGates.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-sharedgates" tabindex="-1">Interface: SharedGates <a class="header-anchor" href="#interface-sharedgates" aria-label="Permalink to &quot;Interface: SharedGates&quot;">​</a></h1><p>The gates of two hosts and the store they share.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="here" tabindex="-1">here <a class="header-anchor" href="#here" aria-label="Permalink to &quot;here&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>here</strong>: <code>IdempotencyGate</code></p></blockquote><hr><h3 id="store" tabindex="-1">store <a class="header-anchor" href="#store" aria-label="Permalink to &quot;store&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>store</strong>: <code>UnitStore</code></p></blockquote><hr><h3 id="there" tabindex="-1">there <a class="header-anchor" href="#there" aria-label="Permalink to &quot;there&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>there</strong>: <code>IdempotencyGate</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_testing.SharedGates.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_SharedGates = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_SharedGates as default
};
