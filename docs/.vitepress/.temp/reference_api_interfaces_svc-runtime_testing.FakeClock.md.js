import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: FakeClock","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_testing.FakeClock.md","filePath":"reference/api/interfaces/svc-runtime_testing.FakeClock.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_testing.FakeClock.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-fakeclock" tabindex="-1">Interface: FakeClock <a class="header-anchor" href="#interface-fakeclock" aria-label="Permalink to &quot;Interface: FakeClock&quot;">​</a></h1><p>A clock that stands still until a test advances it.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="advance" tabindex="-1">advance <a class="header-anchor" href="#advance" aria-label="Permalink to &quot;advance&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>advance</strong>: (<code>ms</code>) =&gt; <code>void</code></p></blockquote><p>Advances the time; timers that become due run in order, each at its own time.</p><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>ms</code></td><td><code>number</code></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>void</code></p><hr><h3 id="after" tabindex="-1">after <a class="header-anchor" href="#after" aria-label="Permalink to &quot;after&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>after</strong>: (<code>ms</code>, <code>task</code>) =&gt; () =&gt; <code>void</code></p></blockquote><p>Runs the task once, <code>ms</code> from now; the returned function cancels it.</p><h4 id="parameters-1" tabindex="-1">Parameters <a class="header-anchor" href="#parameters-1" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>ms</code></td><td><code>number</code></td></tr><tr><td><code>task</code></td><td>() =&gt; <code>void</code></td></tr></tbody></table><h4 id="returns-1" tabindex="-1">Returns <a class="header-anchor" href="#returns-1" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p>() =&gt; <code>void</code></p><hr><h3 id="now" tabindex="-1">now <a class="header-anchor" href="#now" aria-label="Permalink to &quot;now&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>now</strong>: () =&gt; <code>number</code></p></blockquote><p>Milliseconds since 1970.</p><h4 id="returns-2" tabindex="-1">Returns <a class="header-anchor" href="#returns-2" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>number</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_testing.FakeClock.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_FakeClock = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_FakeClock as default
};
