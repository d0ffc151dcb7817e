import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: InMemoryStoreOptions","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_testing.InMemoryStoreOptions.md","filePath":"reference/api/interfaces/svc-runtime_testing.InMemoryStoreOptions.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_testing.InMemoryStoreOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-inmemorystoreoptions" tabindex="-1">Interface: InMemoryStoreOptions <a class="header-anchor" href="#interface-inmemorystoreoptions" aria-label="Permalink to &quot;Interface: InMemoryStoreOptions&quot;">​</a></h1><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="host" tabindex="-1">host? <a class="header-anchor" href="#host" aria-label="Permalink to &quot;host?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>host?</strong>: <code>string</code></p></blockquote><hr><h3 id="now" tabindex="-1">now? <a class="header-anchor" href="#now" aria-label="Permalink to &quot;now?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>now?</strong>: () =&gt; <code>number</code></p></blockquote><p>Milliseconds since 1970; default: the system clock.</p><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>number</code></p><hr><h3 id="sealed" tabindex="-1">sealed? <a class="header-anchor" href="#sealed" aria-label="Permalink to &quot;sealed?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>sealed?</strong>: readonly <code>SealedMessage</code>[]</p></blockquote><p>The <code>sealed</code> of a registry: these events are encrypted with keys that are lost with the process.</p><hr><h3 id="upcasters" tabindex="-1">upcasters? <a class="header-anchor" href="#upcasters" aria-label="Permalink to &quot;upcasters?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>upcasters?</strong>: <a href="./../classes/svc-runtime.Upcasters"><code>Upcasters</code></a></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_testing.InMemoryStoreOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_InMemoryStoreOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_InMemoryStoreOptions as default
};
