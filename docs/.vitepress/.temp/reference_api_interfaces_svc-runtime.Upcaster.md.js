import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Upcaster","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.Upcaster.md","filePath":"reference/api/interfaces/svc-runtime.Upcaster.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.Upcaster.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-upcaster" tabindex="-1">Interface: Upcaster <a class="header-anchor" href="#interface-upcaster" aria-label="Permalink to &quot;Interface: Upcaster&quot;">​</a></h1><p>Converts the payload of one message type from one version of its contract to the next.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="from" tabindex="-1">from <a class="header-anchor" href="#from" aria-label="Permalink to &quot;from&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>from</strong>: <code>number</code></p></blockquote><p>The version it reads; it produces the next one.</p><hr><h3 id="type" tabindex="-1">type <a class="header-anchor" href="#type" aria-label="Permalink to &quot;type&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>type</strong>: <code>MessageType</code></p></blockquote><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="up" tabindex="-1">up() <a class="header-anchor" href="#up" aria-label="Permalink to &quot;up()&quot;">​</a></h3><blockquote><p><strong>up</strong>(<code>payload</code>): <code>unknown</code></p></blockquote><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>payload</code></td><td><code>unknown</code></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>unknown</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.Upcaster.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Upcaster = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Upcaster as default
};
